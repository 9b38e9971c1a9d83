// ReportRendering begins here.
