"""The terminal viewer: rich renderables (one a file), playback of games, exports, the interactive app."""
