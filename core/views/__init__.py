"""What each page shows, as plain data: one module a page, no drawing and no widgets."""
