"""What the figures share: small disks, contact sheets, and notes beside a disk."""
