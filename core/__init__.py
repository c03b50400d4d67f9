"""The engine of Touchstone: formats, execution, verifiers, metrics, figures."""
