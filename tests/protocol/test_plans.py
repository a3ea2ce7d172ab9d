"""What a seat would see with a draft done, in its own turn and in another's (match.plan)."""
import test_orders

ORDERS = [test_orders.march("FR-A FR-B FR-C", "thuin"), test_orders.march("FR-D FR-E", "charleroi")]


class Plans(test_orders.WithWar):
    def plan(self, seat, *actions, **more):
        return seat.client.call("match.plan", match=seat.match, seq=seat.newest()["seq"], actions=list(actions), **more)

    def test_a_plan_is_the_view_with_the_draft_done(self):
        french, allied = self.war()
        before = french.newest()
        planned = self.plan(french, ORDERS[0])
        self.assertNotIn("plan", planned)
        self.assertNotIn("refused", planned)
        board = planned["view"]["board"]
        self.assertEqual({unit: march["path"] for unit, march in board["marches"].items()},
                         {unit: ["thuin"] for unit in ("FR-A", "FR-B", "FR-C")})
        self.assertEqual(board["attacks"]["thuin"]["attackers"], {"FR": 3})
        self.assertEqual(board["attacks"]["thuin"]["enough"], True)  # W4.9
        # Nothing has happened: what was planned is what is told when it is done.
        self.assertEqual(french.newest(), before)
        french.act(ORDERS[0])
        self.assertEqual(french.newest()["board"], board)

    def test_nobody_is_told_of_a_plan(self):
        french, allied = self.war()
        seen = allied.client.call("match.view", match=allied.match)
        summary = allied.client.call("match.get", match=allied.match)
        self.plan(french, *ORDERS)
        self.assertEqual(allied.client.call("match.view", match=allied.match), seen)
        self.assertEqual(allied.client.call("match.get", match=allied.match), summary)
        self.assertEqual(french.client.call("match.draft", match=french.match), {"version": 0, "actions": []})

    def test_the_french_think_of_their_set_up_while_the_allies_set_up(self):
        """They see nothing of the Allies then (W2.6), place by their own rule (W2.4), and give it as one action when asked."""
        french, allied = self.match(spectators="public")
        placed = test_orders.placements(test_orders.FRENCH)
        wrong = {"do": "place", "placements": [{"unit": "FR-A", "town": "brussels"}]}
        before = french.newest()
        planned = self.plan(french, placed, wrong)
        self.assertEqual((planned["plan"], list(planned["refused"]), planned["refused"]["1"]["rule"]), (True, ["1"], "W2.4"))
        self.assertEqual({unit: told["town"] for unit, told in planned["view"]["board"]["units"].items()},
                         {one["unit"]: one["town"] for one in placed["placements"]})
        allied.act(test_orders.placements(test_orders.ALLIED))
        self.assertEqual(self.plan(french, placed, wrong), planned)
        self.assertEqual(french.newest(), before)
        draft = french.client.call("match.draft", match=french.match, version=0, actions=[placed, {"do": "confirm_setup"}])
        allied.newest()
        allied.act({"do": "confirm_setup"})
        self.refused("not_your_turn", self.plan, allied)  # theirs is done, and no turn has begun
        french.client.call("match.act", match=french.match, seq=french.newest()["seq"], draft=draft["version"])
        self.assertEqual(french.newest()["state"], "MOVE")

    def test_each_action_is_judged_by_itself(self):
        french, _ = self.war()
        third = test_orders.march("FR-G", "mons")
        planned = self.plan(french, ORDERS[0], ORDERS[1], third, {"do": "march", "marches": 7}, {"do": "end_movement"},
                            ORDERS[0])
        self.assertEqual(set(planned["refused"]), {"2", "3", "4", "5"})
        self.assertEqual(planned["refused"]["2"]["rule"], "W4.2")  # a third group
        self.assertEqual(planned["refused"]["4"]["rule"], "W4.9")  # two units attack Charleroi
        self.assertEqual(planned["refused"]["5"]["rule"], "W4.5")  # a second march of the same units
        self.assertEqual(set(planned["view"]["board"]["marches"]), {"FR-A", "FR-B", "FR-C", "FR-D", "FR-E"})

    def test_what_binds_is_judged_and_not_shown(self):
        french, _ = self.war()
        forced = {"do": "march", "marches": [{"unit": "FR-H", "path": ["philippeville", "walcourt"], "forced": True}]}
        planned = self.plan(french, ORDERS[0], {"do": "end_movement"}, {"do": "end_movement"})
        self.assertEqual(planned["view"]["state"], "MOVE")
        self.assertEqual((list(planned["refused"]), planned["refused"]["2"]["reason"]), (["2"], "list"))
        self.assertNotIn("dice", str(self.plan(french, forced, {"do": "end_movement"})))

    def test_questions_are_answered_of_what_it_leads_to(self):
        french, _ = self.war()
        reach = {"ask": "reach", "unit": "FR-G"}
        free, taken = (self.plan(french, *orders, questions=[reach, {"ask": "capacity"}])["answers"]
                       for orders in ([], ORDERS))
        self.assertIn("mons", free[0]["towns"])
        self.assertEqual(taken[0]["towns"], {})  # both groups are used (W4.2)
        used = sum(road["of"] - road["left"] for road in taken[1]["roads"].values())
        self.assertEqual(used, 5)
        self.refused("invalid_params", self.plan, french, questions=[{"ask": "nothing"}])
        self.refused("invalid_params", self.plan, french, questions=["reach"])

    def test_in_the_enemys_turn_the_next_one_is_planned(self):
        french, allied = self.war()
        self.assertNotIn("AL", allied.newest()["to_act"])
        planned = self.plan(allied, test_orders.march("PR-E", "binche"), {"do": "end_movement"},
                            questions=[{"ask": "reach", "unit": "PR-E"}])
        self.assertTrue(planned["plan"])
        self.assertEqual(planned["refused"], {"1": dict(planned["refused"]["1"], kind="not_your_turn")})
        view = planned["view"]
        self.assertEqual((view["state"], view["turn"]["slot"], view["turn"]["side"]), ("MOVE", 2, "AL"))
        self.assertEqual(set(view["board"]["marches"]), {"PR-E"})
        # What the enemy drafts meanwhile shows nowhere.
        french.act(ORDERS[0])
        again = self.plan(allied, test_orders.march("PR-E", "binche"), {"do": "end_movement"},
                          questions=[{"ask": "reach", "unit": "PR-E"}])
        self.assertEqual(again, planned)

    def test_a_plan_made_under_attack(self):
        french, allied = self.war()
        self.attack(french)
        allied.newest()
        allied.act({"do": "respond", "town": "thuin", "choice": "fight"})
        allied.newest()
        end = {"do": "end_response"}
        if "AL" in allied.newest()["to_act"] and allied.newest()["state"] == "RESPOND": allied.act(end)
        french.newest()
        while "AL" in allied.newest()["to_act"]:
            allied.act({"do": "deploy", "battle": "thuin",
                        "columns": {"1": ["PR-E"], "2": ["PR-F"], "3": ["PR-G"], "reserve": ["PR-H"]}})
        planned = self.plan(allied, test_orders.march("PR-A", "ligny"))
        self.assertEqual((planned["plan"], planned["view"]["state"]), (True, "MOVE"))
        self.assertNotIn("battles", planned["view"]["board"])

    def test_there_is_not_always_a_turn_to_plan_for(self):
        french, allied = self.match()
        stranger, _, _ = self.account()
        self.refused("forbidden", stranger.call, "match.plan", match=french.match, seq=0)
        self.refused("stale_state", french.client.call, "match.plan", match=french.match, seq=99)
        self.refused("invalid_params", french.client.call, "match.plan", match=french.match, seq=french.newest()["seq"],
                     actions=["march"])
