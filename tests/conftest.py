"""What all tests share."""

from hypothesis import HealthCheck, settings

# Tests assert what comes out, never how long it took: the machines they run on are shared.
settings.register_profile("touchstone", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("touchstone")
