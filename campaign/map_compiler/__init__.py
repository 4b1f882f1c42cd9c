"""The map compiler: it lays the survey of the Sudan on the hex grid and writes the map.

`survey.toml` holds the facts. `python -m campaign.map_compiler.build` lays them on the grid and
writes `campaign/rules/map/sudan.json`; a campaign reads only that file.
"""
