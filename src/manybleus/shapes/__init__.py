"""The synthetic world: scenes, references and captioners. Nothing downstream of the caption files imports it."""
