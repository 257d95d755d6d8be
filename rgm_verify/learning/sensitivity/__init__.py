"""The relative sensitivity of ridge gradients: over a domain of records, of data at hand, of one pair."""
