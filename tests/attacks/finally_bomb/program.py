def add(a, b):
    try:
     a += 0
    finally:
     try:
      a += 0
     finally:
      try:
       a += 0
      finally:
       try:
        a += 0
       finally:
        try:
         a += 0
        finally:
         try:
          a += 0
         finally:
          try:
           a += 0
          finally:
           try:
            a += 0
           finally:
            try:
             a += 0
            finally:
             try:
              a += 0
             finally:
              try:
               a += 0
              finally:
               try:
                a += 0
               finally:
                try:
                 a += 0
                finally:
                 try:
                  a += 0
                 finally:
                  try:
                   a += 0
                  finally:
                   try:
                    a += 0
                   finally:
                    try:
                     a += 0
                    finally:
                     try:
                      a += 0
                     finally:
                      a += 0
    return a - b
