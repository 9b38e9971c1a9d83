// Analysis begins here.
