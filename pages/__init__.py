"""What the analyst sees. The only package that imports streamlit."""
