"""The map compiler: lays the survey of the Sudan on the hex grid and writes the map that is played.

`survey.toml` holds the facts. `python -m campaign.map_compiler.build` lays them on the grid and
writes `campaign/rules/map/sudan.json`; only that file is read when a campaign is played.
"""
