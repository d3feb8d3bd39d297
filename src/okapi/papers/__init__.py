"""Papers as recipes: what they did, done again, with a page that puts their figures beside ours."""
