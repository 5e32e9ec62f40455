"""What the commands share: arguments, standard streams, tables that are printed."""
