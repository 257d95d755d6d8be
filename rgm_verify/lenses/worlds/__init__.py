"""Statements before they are reduced to numbers, in small worlds over exact fractions, tied to the formula."""
