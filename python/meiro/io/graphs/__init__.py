"""meiro as a backend of networkx, and labels as files hold them."""
