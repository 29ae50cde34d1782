"""From the source of an assignment to what students get."""
