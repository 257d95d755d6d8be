"""`PrivateLogisticRegression` part by part: public numbers and noise, the perturbed objective, Newton steps."""
