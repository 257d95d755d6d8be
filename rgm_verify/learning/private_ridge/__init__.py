"""`PrivateRidge` part by part: public bounds, sensitivity, noise, descent, and its account."""
