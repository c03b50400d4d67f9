def apply(function, value):
    while True:
        function(value)
