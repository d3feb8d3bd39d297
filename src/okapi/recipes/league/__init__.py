"""The league: every way of learning under one search and one clock, and which of them is best for what it costs."""
