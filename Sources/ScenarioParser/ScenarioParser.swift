// ScenarioParser begins here.
