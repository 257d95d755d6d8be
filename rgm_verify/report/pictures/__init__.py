"""Pictures of a report as SVG text: bounds, curves between enclosures, and the looseness of inequalities."""
