// Experiments begins here.
