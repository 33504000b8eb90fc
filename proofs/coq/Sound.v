(* What the checker accepts is true: no plan fits the capacity. *)
Require Import ZArith List Bool Lia FMapPositive.
Require Import Problem Check.
Import ListNotations.
Open Scope Z_scope.

(* Intervals that are apart do not hold more than what is around them. *)
Definition apart_intervals (x y : Z * Z) : Prop := disjoint (fst x) (snd x) (fst y) (snd y).

Fixpoint total (l : list (Z * Z)) : Z :=
  match l with [] => 0 | x :: l => snd x - fst x + total l end.

Lemma total_split : forall f l,
  total l = total (filter f l) + total (filter (fun x => negb (f x)) l).
Proof.
  induction l as [| x l IH]; simpl; [reflexivity |].
  destruct (f x); simpl; lia.
Qed.

Lemma filter_short : forall A (f : A -> bool) l, (length (filter f l) <= length l)%nat.
Proof. induction l; simpl; [lia | destruct (f a); simpl; lia]. Qed.

Lemma pairs_filter : forall A (R : A -> A -> Prop) f l, ForallOrdPairs R l -> ForallOrdPairs R (filter f l).
Proof.
  induction 1; simpl; [constructor |].
  destruct (f a); [constructor |]; auto.
  rewrite Forall_forall in *. intros x I. apply filter_In in I. intuition.
Qed.

Lemma packed_in : forall n l a b, (length l <= n)%nat -> a <= b ->
  (forall x, In x l -> a <= fst x /\ fst x < snd x /\ snd x <= b) ->
  ForallOrdPairs apart_intervals l -> total l <= b - a.
Proof.
  induction n; intros l a b Short Room Inside Apart;
    (destruct l as [| x l]; [simpl; lia |]); simpl in Short; [lia |].
  assert (Hx := Inside x (or_introl eq_refl)).
  inversion Apart as [| y m Hall Hrest]; subst.
  rewrite Forall_forall in Hall.
  simpl. rewrite (total_split (fun y => snd y <=? fst x)).
  assert (Below : total (filter (fun y => snd y <=? fst x) l) <= fst x - a).
  { apply IHn; try lia.
    - pose proof (filter_short _ (fun y => snd y <=? fst x) l); lia.
    - intros y I. apply filter_In in I. destruct I as [I J]. apply Z.leb_le in J.
      specialize (Inside y (or_intror I)). lia.
    - apply pairs_filter; assumption. }
  assert (Above : total (filter (fun y => negb (snd y <=? fst x)) l) <= b - snd x).
  { apply IHn; try lia.
    - pose proof (filter_short _ (fun y => negb (snd y <=? fst x)) l); lia.
    - intros y I. apply filter_In in I. destruct I as [I J].
      apply negb_true_iff, Z.leb_gt in J.
      specialize (Hall y I). specialize (Inside y (or_intror I)).
      unfold apart_intervals, disjoint in Hall. lia.
    - apply pairs_filter; assumption. }
  lia.
Qed.

Lemma cover_sound : forall A (fuel : list A) low high ws x, cover fuel low high ws = true ->
  low <= x <= high -> exists w, In w ws /\ fst w < x < snd w.
Proof.
  induction fuel; intros low high ws x H L; simpl in H;
    destruct (high <? low) eqn:E; try (apply Z.ltb_lt in E; lia); try discriminate.
  destruct (find _ ws) as [w |] eqn:F; [| discriminate].
  apply find_some in F. destruct F as [I F].
  apply andb_true_iff in F. destruct F as [F G]. apply Z.ltb_lt in F, G.
  destruct (Z_lt_dec x (snd w)).
  - exists w. split; [assumption | lia].
  - eapply IHfuel; [eassumption | lia].
Qed.

Lemma floor_mono : forall u x y d, 0 < u -> (u | d) -> x + d <= y -> x / u * u + d <= y / u * u.
Proof.
  intros u x y d U [k ->] H.
  assert (x / u + k <= y / u) by (rewrite <- Z.div_add by lia; apply Z.div_le_mono; lia).
  nia.
Qed.

Lemma floor_fix : forall u x, 0 < u -> (u | x) -> x / u * u = x.
Proof. intros u x U [k ->]. rewrite Z.div_mul by lia. reflexivity. Qed.

Lemma divides_sound : forall d n, d <> 0 -> divides d n = true -> (d | n).
Proof. unfold divides. intros d n D H. apply Z.eqb_eq in H. apply Z.mod_divide; assumption. Qed.

Section Sound.
Variable p : problem.
Variable capacity unit : Z.
Variable used : M.t Datatypes.unit.
Hypothesis unit_positive : 0 < unit.
Hypothesis all_in_units : forall b, is_used used b = true -> in_units p unit b = true.

Lemma used_units : forall b, is_used used b = true ->
  is_buffer p b /\ 0 < alignment (buffer_of p b) /\ (unit | size (buffer_of p b)) /\
  ((unit | alignment (buffer_of p b)) \/ (alignment (buffer_of p b) | unit)) /\
  (forall x, fixed (buffer_of p b) = Some x -> (unit | x)) /\
  (forall s, In s (segments (buffer_of p b)) -> (unit | begin s) /\ (unit | stop s)).
Proof.
  intros b U. apply all_in_units in U. unfold in_units in U.
  repeat rewrite andb_true_iff in U. destruct U as [[[[[A B] C] D] E] F].
  apply Pos.leb_le in A. apply Z.ltb_lt in B. rewrite orb_true_iff in D.
  repeat split; auto.
  - apply divides_sound; [lia | assumption].
  - destruct D; [left | right]; apply divides_sound; auto; lia.
  - intros x X. rewrite X in E. apply divides_sound; [lia | assumption].
  - rewrite forallb_forall in F. specialize (F s H). apply andb_true_iff in F.
    apply divides_sound; [lia | tauto].
  - rewrite forallb_forall in F. specialize (F s H). apply andb_true_iff in F.
    apply divides_sound; [lia | tauto].
Qed.

Lemma step_positive : forall b, is_used used b = true -> 0 < step p unit b.
Proof.
  intros b U. apply used_units in U. unfold step.
  destruct (fixed (buffer_of p b)); [lia |].
  destruct (divides _ _); lia.
Qed.

(* The plan that fits, rounded down to units: what a log is about. *)
Variable o : plan.
Record good : Prop := {
  in_bounds : forall b, is_used used b = true ->
    first_low p b <= o b <= first_high p capacity unit b;
  in_steps : forall b, is_used used b = true -> (step p unit b | o b);
  never : forall i j w, is_used used i = true -> is_used used j = true -> i <> j ->
    In w (windows p i j) -> ~ (fst w < o j - o i < snd w) }.

Hypothesis plan_good : good.
(* Of buffers that are alike, the first lies lower, or both at one offset. *)
Definition sorted : Prop := forall i j, (i < j)%positive -> alike p used i j = true -> o i <= o j.
Hypothesis plan_sorted : sorted.

Lemma forbids_sound : forall i j low high, is_used used i = true -> is_used used j = true ->
  forbids p i j low high = true -> ~ (low <= o j - o i <= high).
Proof.
  unfold forbids. intros i j lo hi I J H L.
  destruct (hi <? lo) eqn:E; [apply Z.ltb_lt in E; lia |].
  destruct (i =? j)%positive eqn:D; [discriminate |].
  apply Pos.eqb_neq in D.
  destruct (cover_sound _ _ _ _ _ _ H L) as [w [W X]].
  exact (never plan_good i j w I J D W X).
Qed.

(* A literal as a truth about the plan. *)
Definition true_in (k : known) (l : literal) : bool :=
  match get k l with Some d => distance d <=? o (target d) - o (source d) | None => false end.

Record sane (s : state) : Prop := {
  sane_low : forall b, is_used used b = true -> low p s b <= o b;
  sane_high : forall b, is_used used b = true -> o b <= high p capacity unit s b;
  sane_absurd : absurd s = false }.

Definition agrees (k : known) (s : state) : Prop :=
  forall l, holds s l = true -> true_in k l = true.

Definition fine (k : known) (s : state) : Prop := sane s /\ agrees k s.

Definition clique_fine (ms : list member) : Prop :=
  (forall m, In m ms -> is_used used (who m) = true /\ first m < last m) /\
  ForallOrdPairs (fun m n => who m <> who n /\
    disjoint (o (who m) + first m) (o (who m) + last m) (o (who n) + first n) (o (who n) + last n)) ms.

Record known_fine (k : known) : Prop := {
  choices_fine : forall v c, M.find v (choices k) = Some c ->
    is_used used (from c) = true /\ is_used used (to c) = true /\
    (up c <= o (to c) - o (from c) \/ down c <= o (from c) - o (to c)) /\
    1 <= up c + down c /\
    (v < next_choice k)%positive;
  cliques_fine : forall q ms, M.find q (cliques k) = Some ms -> clique_fine ms;
  clauses_fine : forall c ls, M.find c (clauses k) = Some ls -> existsb (true_in k) ls = true }.

Lemma get_used : forall k l d, known_fine k -> get k l = Some d ->
  is_used used (source d) = true /\ is_used used (target d) = true.
Proof.
  intros k l d K G. unfold get in G. destruct (M.find _ _) as [c |] eqn:F; [| discriminate].
  destruct (choices_fine k K _ _ F) as [A [B _]].
  destruct (fst l); inversion G; subst; simpl; auto.
Qed.

Lemma one_side : forall k l, known_fine k -> get k l <> None ->
  true_in k l = false -> true_in k (opposite l) = true.
Proof.
  intros k [s v] K D. unfold true_in, get, opposite in *. simpl in *.
  destruct (M.find v (choices k)) as [c |] eqn:F; [| tauto].
  destruct (choices_fine k K _ _ F) as [_ [_ [E _]]].
  destruct s; simpl; intros H; apply Z.leb_gt in H; apply Z.leb_le; lia.
Qed.

Lemma opposite_twice : forall l, opposite (opposite l) = l.
Proof. intros [s v]. unfold opposite. simpl. rewrite negb_involutive. reflexivity. Qed.

Lemma holds_hold : forall s l m, holds (hold s l) m = true -> m = l \/ holds s m = true.
Proof.
  intros s [sl l] [sm m]. unfold holds, hold. simpl.
  destruct sm, sl; simpl; auto; rewrite !M.mem_find;
    destruct (Pos.eq_dec m l); subst; auto; rewrite M.gso by assumption; auto.
Qed.

(* A conclusion is kept: either all stays fine, or something absurd would have to be true. *)
Lemma raise_fine : forall s b x, sane s -> is_used used b = true -> x <= o b -> sane (raise p capacity unit s b x).
Proof.
  intros s b x [L H A] U X. unfold raise. destruct (x <=? low p s b); [constructor; assumption |].
  set (y := - ((- x) / step p unit b * step p unit b)).
  assert (P := step_positive b U).
  assert (Y : y <= o b).
  { unfold y. destruct (in_steps plan_good b U) as [k K].
    assert (- o b = (- k) * step p unit b) by lia.
    assert (- k <= (- x) / step p unit b).
    { apply Z.div_le_lower_bound; lia. }
    nia. }
  constructor; simpl.
  - intros c C. unfold low. simpl. destruct (Pos.eq_dec c b); subst.
    + rewrite M.gss. assumption.
    + rewrite M.gso by assumption. apply L; assumption.
  - intros c C. apply H; assumption.
  - rewrite A. simpl. apply Z.ltb_ge. specialize (H b U). lia.
Qed.

Lemma drop_fine : forall s b x, sane s -> is_used used b = true -> o b <= x -> sane (drop p capacity unit s b x).
Proof.
  intros s b x [L H A] U X. unfold drop. destruct (high p capacity unit s b <=? x); [constructor; assumption |].
  set (y := x / step p unit b * step p unit b).
  assert (P := step_positive b U).
  assert (Y : o b <= y).
  { unfold y. destruct (in_steps plan_good b U) as [k K].
    assert (k <= x / step p unit b) by (apply Z.div_le_lower_bound; lia).
    nia. }
  constructor; simpl.
  - intros c C. apply L; assumption.
  - intros c C. unfold high. simpl. destruct (Pos.eq_dec c b); subst.
    + rewrite M.gss. assumption.
    + rewrite M.gso by assumption. apply H; assumption.
  - rewrite A. simpl. apply Z.ltb_ge. specialize (L b U). lia.
Qed.

Lemma raise_holds : forall s b x l, holds (raise p capacity unit s b x) l = holds s l.
Proof. intros. unfold raise. destruct (_ <=? _); reflexivity. Qed.
Lemma drop_holds : forall s b x l, holds (drop p capacity unit s b x) l = holds s l.
Proof. intros. unfold drop. destruct (_ <=? _); reflexivity. Qed.

(* The two sides of a choice are never both true. *)
Lemma not_both : forall k l, known_fine k -> true_in k l = true -> true_in k (opposite l) = true -> False.
Proof.
  intros k [s v] K. unfold true_in, get, opposite. simpl.
  destruct (M.find v (choices k)) as [c |] eqn:F; [| discriminate].
  destruct (choices_fine k K _ _ F) as [_ [_ [_ [E _]]]].
  destruct s; simpl; intros A B; apply Z.leb_le in A, B; lia.
Qed.

Lemma hold_fine : forall k s l, known_fine k -> fine k s -> true_in k l = true -> fine k (hold s l).
Proof.
  intros k s l K [[L H A] G] T. split.
  - constructor; simpl; auto. rewrite A. simpl.
    destruct (holds s (opposite l)) eqn:E; [| reflexivity].
    exfalso. apply (not_both k l K T). apply G. assumption.
  - intros m M. apply holds_hold in M. destruct M; subst; auto.
Qed.

Lemma get_true : forall k l d, get k l = Some d -> true_in k l = true ->
  o (source d) + distance d <= o (target d).
Proof. unfold true_in. intros k l d G T. rewrite G in T. apply Z.leb_le in T. lia. Qed.

(* Members of a clique as intervals of the plan. *)
Definition place (m : member) : Z * Z := (o (who m) + first m, o (who m) + last m).

Lemma bytes_total : forall ms, bytes ms = total (map place ms).
Proof. induction ms as [| m ms IH]; simpl; [reflexivity | rewrite IH; unfold place; simpl; lia]. Qed.

Lemma clique_intervals : forall ms, clique_fine ms -> ForallOrdPairs apart_intervals (map place ms).
Proof.
  intros ms [_ C]. induction C as [| m ms Hall C IH]; simpl; constructor; [| assumption].
  rewrite Forall_forall in *. intros x I. apply in_map_iff in I. destruct I as [n [<- I]].
  specialize (Hall n I). unfold apart_intervals, place. simpl. tauto.
Qed.

Lemma clique_filter : forall f ms, clique_fine ms -> clique_fine (filter f ms).
Proof.
  intros f ms [A B]. split; [| apply pairs_filter; assumption].
  intros m I. apply filter_In in I. destruct I. auto.
Qed.

(* Members that lie between two addresses in the plan have no more bytes than there are. *)
Lemma not_overfull : forall ms a b, clique_fine ms -> a <= b ->
  (forall m, In m ms -> a <= o (who m) + first m /\ o (who m) + last m <= b) -> bytes ms <= b - a.
Proof.
  intros ms a b C R I. rewrite bytes_total.
  apply (packed_in (length (map place ms))); auto; [| apply clique_intervals; assumption].
  intros x X. apply in_map_iff in X. destruct X as [m [<- X]].
  specialize (I m X). destruct C as [C _]. specialize (C m X). unfold place. simpl. lia.
Qed.

Lemma overfull_false : forall s ms a b more, sane s -> clique_fine ms ->
  (forall m, In m ms -> In (who m) more -> a <= o (who m) + first m /\ o (who m) + last m <= b) ->
  overfull p capacity unit s ms a b more = true -> False.
Proof.
  intros s ms a b more S C I H. unfold overfull in H. apply Z.ltb_lt in H.
  set (f := fun m => lies_in p capacity unit s a b m || existsb (Pos.eqb (who m)) more) in H.
  assert (Inside : forall m, In m (filter f ms) -> a <= o (who m) + first m /\ o (who m) + last m <= b).
  { intros m X. apply filter_In in X. destruct X as [X F]. unfold f in F.
    apply orb_true_iff in F. destruct F as [F | F].
    - unfold lies_in in F. apply andb_true_iff in F. destruct F as [F G]. apply Z.leb_le in F, G.
      destruct S as [L U _]. destruct C as [C _]. destruct (C m X) as [V _].
      specialize (L _ V). specialize (U _ V). lia.
    - apply existsb_exists in F. destruct F as [c [F G]]. apply Pos.eqb_eq in G. subst. auto. }
  destruct (Z_le_dec a b) as [R | R].
  - assert (B := not_overfull _ a b (clique_filter f ms C) R Inside). lia.
  - destruct (filter f ms) as [| m rest] eqn:E.
    + simpl in H. lia.
    + assert (X : In m ms).
      { assert (Y : In m (filter f ms)) by (rewrite E; left; reflexivity).
        apply filter_In in Y. tauto. }
      destruct (Inside m (or_introl eq_refl)). destruct C as [C _]. destruct (C m X). lia.
Qed.

(* Where members begin at multiples of a number, each next one begins above all rounded bytes of the one below. *)
Lemma begins_at_sound : forall u m, 0 < u -> is_used used (who m) = true -> begins_at p unit u m = true ->
  (u | o (who m)) /\ (u | first m).
Proof.
  intros u m U V H. unfold begins_at in H. apply andb_true_iff in H. destruct H as [H G].
  apply divides_sound in H; [| lia]. apply divides_sound in G; [| lia]. split; [| assumption].
  assert (B := in_bounds plan_good _ V). assert (S := in_steps plan_good _ V).
  unfold first_low, first_high in B.
  destruct (fixed (buffer_of p (who m))) as [x |]; [| eapply Z.divide_trans; eauto].
  replace (o (who m)) with x by lia. assumption.
Qed.

Lemma up_least : forall u x, 0 < u -> x <= - ((- x) / u * u).
Proof. intros u x U. assert (M := Z.mul_div_le (- x) u U). lia. Qed.

Lemma up_below : forall u c x y, 0 < u -> (u | c) -> (u | y) -> c + x <= y -> c + - ((- x) / u * u) <= y.
Proof.
  intros u c x y U C Y H. assert (F := floor_mono u (c - y) (- x) 0 U (Z.divide_0_r _) ltac:(lia)).
  rewrite (floor_fix u (c - y) U (Z.divide_sub_r _ _ _ C Y)) in F. lia.
Qed.

Lemma most_added_all : forall u m ms, In m ms -> last (rounded_up u m) <= last m + most_added u ms.
Proof.
  induction ms as [| n ms IH]; cbn [most_added In]; intros I; [contradiction |].
  destruct I as [-> | I]; [lia |]. specialize (IH I). lia.
Qed.

Lemma rounded_false : forall s ms u a b, sane s -> clique_fine ms -> 0 < u ->
  Z.max 0 (b - a) + most_added u (filter (fun m => lies_in p capacity unit s a b m && begins_at p unit u m) ms) <?
  bytes (map (rounded_up u) (filter (fun m => lies_in p capacity unit s a b m && begins_at p unit u m) ms)) = true ->
  False.
Proof.
  intros s ms u a b S C U H. apply Z.ltb_lt in H.
  set (f := fun m => lies_in p capacity unit s a b m && begins_at p unit u m) in H.
  assert (D := clique_filter f ms C).
  assert (Inside : forall m, In m (filter f ms) ->
    a <= o (who m) + first m /\ first m < last m /\ o (who m) + last m <= b /\ (u | o (who m)) /\ (u | first m)).
  { intros m X. destruct (proj1 D m X) as [V W]. apply filter_In in X. destruct X as [_ F].
    unfold f in F. apply andb_true_iff in F. destruct F as [F G].
    unfold lies_in in F. apply andb_true_iff in F. destruct F as [F E]. apply Z.leb_le in F, E.
    assert (L := sane_low s S _ V). assert (R := sane_high s S _ V).
    destruct (begins_at_sound u m U V G). repeat split; auto; lia. }
  destruct (filter f ms) as [| m0 rest] eqn:E; [simpl in H; lia |].
  rewrite <- E in *. assert (I0 : In m0 (filter f ms)) by (rewrite E; left; reflexivity).
  destruct (Inside m0 I0) as [A0 [W0 [B0 _]]].
  assert (Added : 0 <= most_added u (filter f ms)).
  { assert (M := most_added_all u m0 _ I0). assert (N := up_least u (last m0) U). simpl in M. lia. }
  rewrite bytes_total in H.
  assert (B := packed_in (length (map place (map (rounded_up u) (filter f ms)))) (map place (map (rounded_up u) (filter f ms)))
    a (b + most_added u (filter f ms)) (le_n _) ltac:(lia)).
  assert (total (map place (map (rounded_up u) (filter f ms))) <= b + most_added u (filter f ms) - a); [| lia].
  apply B; clear B.
  - intros x X. rewrite map_map in X. apply in_map_iff in X. destruct X as [m [<- X]].
    destruct (Inside m X) as [A1 [W1 [B1 _]]].
    assert (M := most_added_all u m _ X). assert (N := up_least u (last m) U). unfold place, rounded_up in *. simpl in *. lia.
  - rewrite map_map. destruct D as [_ D]. clear H E I0 Added.
    induction D as [| m l Hall D IH]; simpl; constructor.
    + rewrite Forall_forall in *. intros x X. apply in_map_iff in X. destruct X as [n [<- X]].
      destruct (Hall n X) as [_ P].
      destruct (Inside m (or_introl eq_refl)) as [_ [_ [_ [Om Fm]]]].
      destruct (Inside n (or_intror X)) as [_ [_ [_ [On Fn]]]].
      unfold apart_intervals, disjoint, place, rounded_up in *. simpl in *.
      destruct P as [P | P]; [left | right]; apply up_below; auto using Z.divide_add_r.
    + apply IH. intros n N. apply Inside. right. assumption.
Qed.

Lemma find_member_in : forall ms b m, find_member ms b = Some m -> In m ms /\ who m = b.
Proof.
  unfold find_member. intros ms b m F. apply find_some in F. destruct F as [I E].
  apply Pos.eqb_eq in E. auto.
Qed.

(* Two members of a clique of different buffers are apart. *)
Lemma members_apart : forall ms m n, clique_fine ms -> In m ms -> In n ms -> who m <> who n ->
  o (who m) + last m <= o (who n) + first n \/ o (who n) + last n <= o (who m) + first m.
Proof.
  intros ms m n [_ C] M N D. induction C as [| x ms Hall C IH]; [contradiction |].
  rewrite Forall_forall in Hall. simpl in M, N. unfold disjoint in *.
  destruct M as [-> | M], N as [-> | N].
  - congruence.
  - destruct (Hall n N). tauto.
  - destruct (Hall m M). tauto.
  - auto.
Qed.

(* A buffer is in a clique at most once. *)
Lemma member_once : forall ms m n, clique_fine ms -> In m ms -> In n ms -> who m = who n -> m = n.
Proof.
  intros ms m n [_ C] M N D. induction C as [| x ms Hall C IH]; [contradiction |].
  rewrite Forall_forall in Hall. simpl in M, N.
  destruct M as [-> | M], N as [-> | N]; auto.
  - destruct (Hall n N). congruence.
  - destruct (Hall m M). congruence.
Qed.

(* Where the members that a chain names lie. *)
Definition between (down : bool) (mover : member) (address : Z) (m : member) : Prop :=
  if down then o (who mover) + last mover <= o (who m) + first m /\ o (who m) + last m <= address
  else address <= o (who m) + first m /\ o (who m) + last m <= o (who mover) + first mover.

Lemma chained_sound : forall k s down ms mover address, fine k s -> known_fine k -> clique_fine ms ->
  forall ls rest sum, ForallOrdPairs (fun m n => who m <> who n /\
    disjoint (o (who m) + first m) (o (who m) + last m) (o (who n) + first n) (o (who n) + last n)) rest ->
  (forall m, In m rest -> In m ms) ->
  chained p capacity unit k s down ms mover address ls rest = Some sum ->
  exists chosen, incl chosen rest /\ clique_fine chosen /\ bytes chosen = sum /\
    length chosen = length ls /\ (forall m, In m chosen -> between down mover address m).
Proof.
  intros k s down ms mover address [S A] K C. induction ls as [| l ls IH]; intros rest sum R I H.
  - simpl in H. inversion H; subst. exists [].
    split; [intros x [] | split; [split; [intros x [] | constructor] |]].
    repeat split. intros x [].
  - simpl in H. destruct (get k l) as [d |] eqn:G; [| discriminate].
    induction R as [| m rest Hall R IHR]; [discriminate |].
    destruct (who m =? (if down then target d else source d))%positive eqn:E.
    + apply Pos.eqb_eq in E.
      destruct down; simpl in H, E.
      all: match type of H with (if ?c then _ else _) = _ => destruct c eqn:X; [| discriminate] end.
      all: repeat rewrite andb_true_iff in X; destruct X as [[[X1 X2] X3] X4].
      all: apply Pos.eqb_eq in X2; apply Z.leb_le in X3, X4.
      all: match type of H with context [chained ?a ?b ?c ?e ?f ?g ?h ?i ?j ?l0 ?r] =>
             destruct (chained a b c e f g h i j l0 r) as [sum' |] eqn:T; [| discriminate] end.
      all: inversion H; subst sum.
      all: destruct (IH rest sum' R (fun m M => I m (or_intror M)) T) as [chosen [P1 [P2 [P3 [P4 P5]]]]].
      all: exists (m :: chosen).
      all: assert (U := proj1 C m (I m (or_introl eq_refl))).
      all: assert (T1 := get_true k l d G (A l X1)).
      all: destruct S as [L Hi _]; specialize (L _ (proj1 U)); specialize (Hi _ (proj1 U)).
      all: split; [intros y [-> | Y]; [left; reflexivity | right; auto] |].
      all: split; [split;
        [intros y [<- | Y]; [exact U | apply (proj1 P2); assumption]
        | constructor; [rewrite Forall_forall in *; auto | apply (proj2 P2)]] |].
      all: split; [simpl; rewrite P3; reflexivity |].
      all: split; [simpl; rewrite P4; reflexivity |].
      all: intros y [<- | Y]; [unfold between; rewrite <- X2, E in *; lia | auto].
    + destruct (IHR (fun m M => I m (or_intror M)) H) as [chosen [P1 P]].
      exists chosen. split; [intros y Y; right; auto | exact P].
Qed.

Lemma chain_room : forall k s down ms mover address ls sum, fine k s -> known_fine k -> clique_fine ms ->
  ls <> [] -> chained p capacity unit k s down ms mover address ls ms = Some sum ->
  if down then o (who mover) + last mover <= address - sum else address + sum <= o (who mover) + first mover.
Proof.
  intros k s down ms mover address ls sum F K C N H.
  destruct (chained_sound k s down ms mover address F K C ls ms sum (proj2 C) (fun m M => M) H)
    as [chosen [_ [P2 [P3 [P4 P5]]]]].
  assert (X : exists m, In m chosen).
  { destruct chosen as [| m chosen]; [destruct ls; [congruence | discriminate] | exists m; left; reflexivity]. }
  destruct X as [m X]. assert (Y := P5 m X). assert (W := proj2 (proj1 P2 m X)).
  destruct down; unfold between in *.
  - assert (B := not_overfull chosen (o (who mover) + last mover) address P2 ltac:(lia) P5). lia.
  - assert (B := not_overfull chosen address (o (who mover) + first mover) P2 ltac:(lia) P5). lia.
Qed.

(* What of intervals that are apart lies in another one is no more than that. *)
Fixpoint inside (a b : Z) (l : list (Z * Z)) : Z :=
  match l with [] => 0 | x :: l => Z.max 0 (Z.min b (snd x) - Z.max a (fst x)) + inside a b l end.

Definition cuts (a b : Z) (l : list (Z * Z)) : list (Z * Z) :=
  filter (fun x => fst x <? snd x) (map (fun x => (Z.max a (fst x), Z.min b (snd x))) l).

Lemma inside_cuts : forall a b l, inside a b l = total (cuts a b l).
Proof.
  intros a b. unfold cuts. induction l as [| x l IH]; simpl; [reflexivity |].
  destruct (Z.max a (fst x) <? Z.min b (snd x)) eqn:E; simpl; rewrite IH;
    [apply Z.ltb_lt in E | apply Z.ltb_ge in E]; lia.
Qed.

Lemma inside_room : forall a b l, a <= b -> ForallOrdPairs apart_intervals l -> inside a b l <= b - a.
Proof.
  intros a b l R A. rewrite inside_cuts. apply (packed_in (length (cuts a b l))); auto.
  - intros x X. apply filter_In in X. destruct X as [X E]. apply Z.ltb_lt in E.
    apply in_map_iff in X. destruct X as [y [<- _]]. simpl in *. lia.
  - apply pairs_filter. induction A as [| x l Hall A IH]; simpl; constructor; [| assumption].
    rewrite Forall_forall in *. intros z Z. apply in_map_iff in Z. destruct Z as [y [<- Y]].
    specialize (Hall y Y). unfold apart_intervals, disjoint in *. simpl. lia.
Qed.

(* The bytes that are not the taker's lie below it or above. *)
Lemma untouched_outside : forall s rs (down : bool) a b taker near ms, sane s -> clique_fine rs -> In taker rs ->
  (if down then near <= o (who taker) else o (who taker) <= near) ->
  (forall m, In m ms -> is_used used (who m) = true /\ first m < last m) ->
  untouched p capacity unit s rs down a b taker near ms <=
  inside a (o (who taker) + first taker) (map place ms) + inside (o (who taker) + last taker) b (map place ms).
Proof.
  intros s rs down a b taker near ms S C T N. destruct (proj1 C taker T) as [_ W].
  induction ms as [| m ms IH]; intros U; [simpl; lia |].
  assert (V' : forall x, In x ms -> is_used used (who x) = true /\ first x < last x)
    by (intros x X; apply U; right; assumption).
  specialize (IH V'). destruct (U m (or_introl eq_refl)) as [V P].
  assert (L := sane_low s S _ V). assert (H := sane_high s S _ V).
  cbn [untouched map inside].
  change (fst (place m)) with (o (who m) + first m). change (snd (place m)) with (o (who m) + last m).
  destruct (lies_in p capacity unit s a b m) eqn:I; [| lia].
  unfold lies_in in I. apply andb_true_iff in I. destruct I as [I J]. apply Z.leb_le in I, J.
  destruct (is_apart rs taker m) eqn:A.
  - unfold is_apart in A. destruct (find_member rs (who m)) as [n |] eqn:F; [| discriminate].
    apply find_member_in in F. destruct F as [F G].
    repeat rewrite andb_true_iff in A. destruct A as [[A B] D].
    apply negb_true_iff, Pos.eqb_neq in A. apply Z.leb_le in B, D.
    assert (X : who n <> who taker) by congruence.
    assert (Y := members_apart rs n taker C F T X). rewrite G in Y. lia.
  - destruct down; lia.
Qed.

Lemma handover_room : forall s ms rs (down : bool) a b taker near, sane s -> clique_fine ms -> clique_fine rs -> In taker rs ->
  lies_in p capacity unit s a b taker = true ->
  (if down then near <= o (who taker) else o (who taker) <= near) ->
  last taker - first taker + untouched p capacity unit s rs down a b taker near ms <= b - a.
Proof.
  intros s ms rs down a b taker near S C D T I N. destruct (proj1 D taker T) as [V W].
  assert (L := sane_low s S _ V). assert (H := sane_high s S _ V).
  unfold lies_in in I. apply andb_true_iff in I. destruct I as [I J]. apply Z.leb_le in I, J.
  assert (X := untouched_outside s rs down a b taker near ms S D T N (proj1 C)).
  assert (Y := inside_room a (o (who taker) + first taker) (map place ms) ltac:(lia) (clique_intervals ms C)).
  assert (Z := inside_room (o (who taker) + last taker) b (map place ms) ltac:(lia) (clique_intervals ms C)).
  lia.
Qed.

Lemma near_least : forall b x, is_used used b = true -> o b <= x - 1 ->
  o b <= (x - 1) / step p unit b * step p unit b.
Proof.
  intros b x U H. assert (P := step_positive b U). destruct (in_steps plan_good b U) as [k K].
  assert (k <= (x - 1) / step p unit b) by (apply Z.div_le_lower_bound; lia). nia.
Qed.

Lemma near_most : forall b x, is_used used b = true -> x + 1 <= o b ->
  - ((- x - 1) / step p unit b * step p unit b) <= o b.
Proof.
  intros b x U H. assert (P := step_positive b U). destruct (in_steps plan_good b U) as [k K].
  assert (- k <= (- x - 1) / step p unit b) by (apply Z.div_le_lower_bound; lia). nia.
Qed.

Lemma fine_impossible : forall k s, fine k s -> absurd s = false.
Proof. intros k s [[_ _ A] _]. exact A. Qed.

Lemma infer_fine : forall k s x s', known_fine k -> fine k s ->
  infer p capacity unit used k s x = Some s' -> fine k s'.
Proof.
  intros k s x s' K F H. unfold infer in H. rewrite (fine_impossible k s F) in H.
  destruct x as [c | ms | ls | cs | l | l | c | l m | l | q a b | q a b multiple | q a b l | down q address ls
               | down q a b r who_takes offset]; try discriminate.
  - (* Pass *)
    destruct (get k l) as [d |] eqn:G; [| discriminate]. unfold guard in H.
    destruct (holds s l) eqn:E; [| discriminate]. inversion H; subst s'.
    destruct F as [S A]. destruct (get_used k l d K G) as [U V].
    assert (T := get_true k l d G (A l E)).
    split.
    + apply drop_fine; [apply raise_fine; auto | assumption |].
      * assert (L := sane_low s S _ U). lia.
      * assert (L := sane_high s S _ V). lia.
    + intros m M. rewrite drop_holds, raise_holds in M. auto.
  - (* Exclude *)
    destruct (get k l) as [d |] eqn:G; [| discriminate]. unfold guard in H.
    destruct (_ <? _) eqn:E; [| discriminate]. inversion H; subst s'. apply Z.ltb_lt in E.
    apply hold_fine; auto. apply one_side; auto; [congruence |].
    destruct (true_in k l) eqn:T; [| reflexivity].
    apply (get_true k l d G) in T. destruct (get_used k l d K G) as [U V]. destruct F as [S _].
    assert (L := sane_low s S _ U). assert (L2 := sane_high s S _ V). lia.
  - (* Use *)
    destruct (M.find c (clauses k)) as [ls |] eqn:Fc; [| discriminate].
    assert (T := clauses_fine k K c ls Fc). apply existsb_exists in T. destruct T as [t [I T]].
    assert (J : In t (filter (fun l => negb (holds s (opposite l))) ls)).
    { apply filter_In. split; [assumption |]. destruct (holds s (opposite t)) eqn:E; [| reflexivity].
      destruct F as [_ A]. exfalso. exact (not_both k t K T (A _ E)). }
    destruct (filter _ ls) as [| l [| m rest]]; [contradiction | | discriminate].
    destruct J as [-> | []]. inversion H; subst s'. apply hold_fine; auto.
  - (* Weaken *)
    destruct (get k l) as [d |] eqn:G; [| discriminate].
    destruct (get k m) as [e |] eqn:G2; [| discriminate]. unfold guard in H.
    destruct (holds s l) eqn:E; [| discriminate]. simpl in H.
    destruct (_ =? _)%positive eqn:E1; [| discriminate]. simpl in H.
    destruct (target d =? target e)%positive eqn:E2; [| discriminate]. simpl in H.
    destruct (_ <=? _) eqn:E3; [| discriminate]. inversion H; subst s'.
    apply Pos.eqb_eq in E1, E2. apply Z.leb_le in E3.
    apply hold_fine; auto. assert (T := get_true k l d G (proj2 F l E)).
    unfold true_in. rewrite G2. apply Z.leb_le. rewrite <- E1, <- E2. lia.
  - (* Twins *)
    destruct (get k l) as [d |] eqn:G; [| discriminate].
    destruct (get k (opposite l)) as [e |] eqn:G2; [| discriminate]. unfold guard in H.
    match type of H with (if ?c then _ else _) = _ => destruct c eqn:X; [| discriminate] end.
    repeat rewrite andb_true_iff in X. destruct X as [[X1 X2] X3].
    apply Pos.ltb_lt in X1. apply Z.leb_le in X2. inversion H; subst s'.
    apply hold_fine; auto. destruct (true_in k l) eqn:T; [reflexivity |]. exfalso.
    assert (V := plan_sorted _ _ X1 X3).
    apply (one_side k l K) in T; [| congruence].
    apply (get_true k _ e G2) in T.
    assert (source e = target d /\ target e = source d).
    { unfold get, opposite in G, G2. destruct l as [b v]. simpl in G, G2.
      destruct (M.find v (choices k)); [| discriminate].
      destruct b; simpl in G2; inversion G; inversion G2; subst; simpl; auto. }
    destruct H0 as [-> ->] in T. lia.
  - (* Overload *)
    destruct (M.find q (cliques k)) as [ms |] eqn:Q; [| discriminate]. unfold guard in H.
    destruct (overfull _ _ _ _ _ _ _ _) eqn:E; [| discriminate].
    exfalso. refine (overfull_false s ms a b [] (proj1 F) (cliques_fine k K q ms Q) _ E).
    intros m _ [].
  - (* Rounded *)
    destruct (M.find q (cliques k)) as [ms |] eqn:Q; [| discriminate]. unfold guard in H.
    match type of H with (if ?c then _ else _) = _ => destruct c eqn:X; [| discriminate] end.
    repeat rewrite andb_true_iff in X. destruct X as [[_ X1] X2]. apply Z.ltb_lt in X1.
    exfalso. exact (rounded_false s ms multiple a b (proj1 F) (cliques_fine k K q ms Q) X1 X2).
  - (* Edge *)
    destruct (M.find q (cliques k)) as [ms |] eqn:Q; [| discriminate].
    destruct (get k (opposite l)) as [d |] eqn:G; [| discriminate].
    destruct (find_member ms (source d)) as [j |] eqn:J; [| discriminate].
    destruct (find_member ms (target d)) as [i |] eqn:I; [| discriminate].
    unfold guard in H.
    match type of H with (if ?c then _ else _) = _ => destruct c eqn:X; [| discriminate] end.
    repeat rewrite andb_true_iff in X. destruct X as [[[X1 X2] X3] X4].
    apply Z.leb_le in X1, X2, X3. inversion H; subst s'.
    assert (C := cliques_fine k K q ms Q).
    apply find_member_in in J, I. destruct J as [J J'], I as [I I'].
    apply hold_fine; auto. rewrite <- (opposite_twice l). apply one_side; auto; [congruence |].
    destruct (true_in k (opposite l)) eqn:T; [| reflexivity]. exfalso.
    apply (get_true k _ d G) in T. rewrite <- J', <- I' in T.
    destruct F as [S _].
    destruct (proj1 C j J) as [Uj Wj]. destruct (proj1 C i I) as [Ui Wi].
    assert (L := sane_low s S _ Uj). assert (L2 := sane_high s S _ Ui).
    refine (overfull_false s ms a b [who i; who j] S C _ X4).
    intros m M [X | [X | []]].
    + rewrite <- (member_once ms i m C I M X). lia.
    + rewrite <- (member_once ms j m C J M X). lia.
  - (* Chain *)
    destruct (M.find q (cliques k)) as [ms |] eqn:Q; [| discriminate].
    destruct ls as [| l ls]; [discriminate |].
    destruct (get k l) as [d |] eqn:G; [| discriminate].
    destruct (find_member ms _) as [mover |] eqn:J; [| discriminate].
    destruct (chained _ _ _ _ _ _ _ _ _ _ _) as [sum |] eqn:T; [| discriminate].
    assert (C := cliques_fine k K q ms Q).
    assert (R := chain_room k s down ms mover address (l :: ls) sum F K C ltac:(discriminate) T).
    apply find_member_in in J. destruct (proj1 C mover (proj1 J)) as [U _].
    inversion H; subst s'. destruct F as [S A]. destruct down.
    + split; [apply drop_fine; auto; lia | intros m M; rewrite drop_holds in M; auto].
    + split; [apply raise_fine; auto; lia | intros m M; rewrite raise_holds in M; auto].
  - (* Handover *)
    destruct (M.find q (cliques k)) as [ms |] eqn:Q; [| discriminate].
    destruct (M.find r (cliques k)) as [rs |] eqn:R; [| discriminate].
    destruct (find_member rs who_takes) as [taker |] eqn:T; [| discriminate].
    apply find_member_in in T. destruct T as [T _].
    assert (C := cliques_fine k K q ms Q). assert (D := cliques_fine k K r rs R).
    destruct (proj1 D taker T) as [U _]. destruct F as [S A].
    unfold guard in H.
    match type of H with (if ?c then _ else _) = _ => destruct c eqn:X; [| discriminate] end.
    repeat rewrite andb_true_iff in X. destruct X as [[[[_ X] _] _] Y]. apply Z.ltb_lt in Y.
    inversion H; subst s'. destruct down.
    + assert (o (who taker) <= offset).
      { destruct (Z_le_dec (o (who taker)) offset) as [| N]; [assumption |]. exfalso.
        assert (Z := near_most (who taker) offset U ltac:(lia)).
        assert (B := handover_room s ms rs true a b taker _ S C D T X Z). lia. }
      split; [apply drop_fine; auto | intros m M; rewrite drop_holds in M; auto].
    + assert (offset <= o (who taker)).
      { destruct (Z_le_dec offset (o (who taker))) as [| N]; [assumption |]. exfalso.
        assert (Z := near_least (who taker) offset U ltac:(lia)).
        assert (B := handover_room s ms rs false a b taker _ S C D T X Z). lia. }
      split; [apply raise_fine; auto | intros m M; rewrite raise_holds in M; auto].
Qed.

(* Buffers of the proof start out where the plan has them. *)
Lemma start_sane : sane (start p capacity unit used).
Proof.
  assert (B : forall b, is_used used b = true -> first_low p b <= o b <= first_high p capacity unit b)
    by (intros; apply (in_bounds plan_good); assumption).
  constructor; simpl.
  - intros b U. unfold low. simpl. rewrite M.gempty. apply B. assumption.
  - intros b U. unfold high. simpl. rewrite M.gempty. apply B. assumption.
  - destruct (existsb _ _) eqn:E; [| reflexivity]. exfalso.
    apply existsb_exists in E. destruct E as [[b u] [I L]]. simpl in L. apply Z.ltb_lt in L.
    assert (U : is_used used b = true).
    { unfold is_used. rewrite M.mem_find.
      assert (F := M.elements_complete used b u I). rewrite F. reflexivity. }
    specialize (B b U). lia.
Qed.

Lemma assume_fine : forall k ls s s', known_fine k -> fine k s -> assume k s ls = Some s' ->
  (forall l, In l ls -> true_in k l = false) -> fine k s'.
Proof.
  intros k. induction ls as [| l ls IH]; simpl; intros s s' K F H N.
  - inversion H; subst. assumption.
  - destruct (get k l) eqn:G; [| discriminate].
    apply (IH (hold s (opposite l)) s'); auto.
    apply hold_fine; auto. apply one_side; auto. congruence.
Qed.

(* All that is known: of the clause that is being proved, that its state is fine where it is false. *)
Record all_fine (k : known) : Prop := {
  it_is_fine : known_fine k;
  proof_fine : forall ls s, proving k = Some (ls, s) -> existsb (true_in k) ls = false -> fine k s;
  not_refuted : refuted k = false }.

Lemma end_fine : forall k k', all_fine k -> end_clause k = Some k' -> all_fine k' /\ proving k' = None.
Proof.
  intros k k' [K P R] H. unfold end_clause in H.
  destruct (proving k) as [[ls s] |] eqn:E.
  - destruct (absurd s) eqn:A; [| discriminate]. inversion H; subst k'. clear H.
    assert (T : existsb (true_in k) ls = true).
    { destruct (existsb (true_in k) ls) eqn:X; [reflexivity |].
      assert (F := fine_impossible k s (P ls s eq_refl X)). congruence. }
    split; [| reflexivity]. constructor; simpl.
    + constructor; simpl.
      * apply (choices_fine k K).
      * apply (cliques_fine k K).
      * intros c l. destruct (Pos.eq_dec c (next_clause k)); subst.
        -- rewrite M.gss. intros X. inversion X; subst. exact T.
        -- rewrite M.gso by assumption. apply (clauses_fine k K).
    + discriminate.
    + rewrite R. destruct ls; [discriminate T | reflexivity].
  - inversion H; subst k'. split; [constructor; auto; rewrite E; discriminate | assumption].
Qed.

Lemma is_clique_fine : forall ms, is_clique p used ms = true -> clique_fine ms.
Proof.
  induction ms as [| m ms IH]; simpl; intros H.
  - split; [intros x [] | constructor].
  - repeat rewrite andb_true_iff in H. destruct H as [[[U W] A] H]. apply Z.ltb_lt in W.
    destruct (IH H) as [B C]. split.
    + intros x [<- | X]; auto.
    + constructor; [| assumption]. rewrite Forall_forall. rewrite forallb_forall in A.
      intros n N. specialize (A n N). destruct (B n N) as [V Y].
      assert (F := forbids_sound _ _ _ _ U V A). split; [| unfold disjoint; lia].
      intros X. unfold forbids in A. rewrite X, Pos.eqb_refl in A.
      destruct (_ <? _) eqn:E in A; [apply Z.ltb_lt in E; lia | discriminate].
Qed.

Lemma remove_all : forall cs c ls (m : M.t (list literal)),
  M.find c (fold_left (fun m c => M.remove c m) cs m) = Some ls -> M.find c m = Some ls.
Proof.
  induction cs as [| d cs IH]; simpl; intros c ls m H; [assumption |].
  apply IH in H. destruct (Pos.eq_dec c d); subst.
  - rewrite M.grs in H. discriminate.
  - rewrite M.gro in H by assumption. assumption.
Qed.

(* A new choice changes no literal of an old one. *)
Lemma older_literals : forall k c l, known_fine k -> true_in k l = true ->
  true_in {| choices := M.add (next_choice k) c (choices k); next_choice := Pos.succ (next_choice k);
             cliques := cliques k; next_clique := next_clique k; clauses := clauses k;
             next_clause := next_clause k; proving := proving k; refuted := refuted k |} l = true.
Proof.
  intros k c [s v] K. unfold true_in, get. simpl.
  destruct (M.find v (choices k)) as [old |] eqn:F; [| discriminate].
  destruct (choices_fine k K _ _ F) as [_ [_ [_ [_ L]]]].
  rewrite M.gso by lia. rewrite F. auto.
Qed.

Lemma existsb_weaken : forall (f g : literal -> bool) ls, (forall l, f l = true -> g l = true) ->
  existsb f ls = true -> existsb g ls = true.
Proof.
  intros f g ls H E. apply existsb_exists in E. destruct E as [l [I F]].
  apply existsb_exists. exists l. auto.
Qed.

Lemma declare_fine : forall k x k', all_fine k -> proving k = None ->
  declare p capacity unit used k x = Some k' -> all_fine k'.
Proof.
  intros k x k' [K P R] N H.
  destruct x as [c | ms | ls | cs | | | | | | | | | | ]; unfold declare in H; try discriminate.
  - (* Choice *)
    match type of H with (if ?b then _ else _) = _ => destruct b eqn:X; [| discriminate] end.
    inversion H; subst k'. repeat rewrite andb_true_iff in X. destruct X as [[[U V] F] B].
    apply Z.leb_le in B. assert (D := forbids_sound _ _ _ _ U V F).
    constructor; simpl; [| rewrite N; discriminate | assumption].
    constructor; simpl.
    + intros v d. destruct (Pos.eq_dec v (next_choice k)); subst.
      * rewrite M.gss. intros E. inversion E; subst. repeat split; auto; lia.
      * rewrite M.gso by assumption. intros E. destruct (choices_fine k K v d E) as [A1 [A2 [A3 [A4 A5]]]].
        repeat split; auto; lia.
    + apply (cliques_fine k K).
    + intros d ls E. apply (existsb_weaken (true_in k)); [| apply (clauses_fine k K d); assumption].
      intros l T. apply older_literals; assumption.
  - (* Clique *)
    destruct (is_clique p used ms) eqn:C; [| discriminate]. inversion H; subst k'.
    constructor; simpl; [| rewrite N; discriminate | assumption].
    constructor; simpl; [apply (choices_fine k K) | | apply (clauses_fine k K)].
    intros q l. destruct (Pos.eq_dec q (next_clique k)); subst.
    + rewrite M.gss. intros E. inversion E; subst. apply is_clique_fine. assumption.
    + rewrite M.gso by assumption. apply (cliques_fine k K).
  - (* Clause *)
    destruct (assume k _ ls) as [s |] eqn:A; [| discriminate]. inversion H; subst k'.
    constructor; simpl; [| | assumption].
    + constructor; simpl; [apply (choices_fine k K) | apply (cliques_fine k K) | apply (clauses_fine k K)].
    + intros ls' s' E F. inversion E; subst ls' s'.
      assert (G : fine k s).
      { apply (assume_fine k ls (start p capacity unit used) s K); auto.
        - split; [apply start_sane |]. intros l. unfold holds. simpl. rewrite M.mem_find.
          destruct (fst l); rewrite M.gempty; discriminate.
        - intros l I. destruct (true_in k l) eqn:T; [| reflexivity].
          assert (existsb (true_in k) ls = true) by (apply existsb_exists; exists l; auto).
          unfold true_in, get in *. simpl in F. congruence. }
      exact G.
  - (* Forget *)
    destruct (forallb _ cs); [| discriminate]. inversion H; subst k'.
    constructor; simpl; [| rewrite N; discriminate | assumption].
    constructor; simpl; [apply (choices_fine k K) | apply (cliques_fine k K) |].
    intros c ls E. apply remove_all in E. apply (clauses_fine k K c). assumption.
Qed.

Lemma line_fine : forall k x k', all_fine k -> check_line p capacity unit used k x = Some k' -> all_fine k'.
Proof.
  intros k x k' A H.
  assert (Inferred : forall ls s s', proving k = Some (ls, s) -> infer p capacity unit used k s x = Some s' ->
    all_fine {| choices := choices k; next_choice := next_choice k; cliques := cliques k;
                next_clique := next_clique k; clauses := clauses k; next_clause := next_clause k;
                proving := Some (ls, s'); refuted := refuted k |}).
  { intros ls s s' E I. destruct A as [K P R]. constructor; simpl; [| | assumption].
    - constructor; simpl; [apply (choices_fine k K) | apply (cliques_fine k K) | apply (clauses_fine k K)].
    - intros ls' s'' X F. inversion X; subst ls' s''.
      exact (infer_fine k s x s' K (P ls s E F) I). }
  unfold check_line in H.
  destruct x; try (destruct (end_clause k) as [m |] eqn:E; [| discriminate];
    destruct (end_fine k m A E); eapply declare_fine; eauto);
  (destruct (proving k) as [[goal s] |] eqn:E; [| discriminate];
   destruct (infer _ _ _ _ k s _) as [s' |] eqn:I; [| discriminate];
   inversion H; subst k'; eapply Inferred; eauto).
Qed.

Lemma lines_fine : forall xs k k', all_fine k -> check_lines p capacity unit used k xs = Some k' -> all_fine k'.
Proof.
  induction xs as [| x xs IH]; simpl; intros k k' A H.
  - apply (end_fine k k' A H).
  - destruct (check_line _ _ _ _ k x) as [m |] eqn:E; [| discriminate].
    apply (IH m k'); [apply (line_fine k x m A E) | assumption].
Qed.

Lemma nothing_fine : all_fine nothing.
Proof.
  constructor; simpl; [| discriminate | reflexivity].
  constructor; simpl; intros *; rewrite M.gempty; discriminate.
Qed.

End Sound.

(* A plan that fits, rounded down to units. *)
Definition rounded (unit : Z) (o : plan) : plan := fun b => o b / unit * unit.

Lemma good_rounded : forall p capacity unit used o, 0 < unit ->
  (forall b, is_used used b = true -> in_units p unit b = true) ->
  valid p o -> fits p o capacity -> good p capacity unit used (rounded unit o).
Proof.
  intros p capacity unit used o P U V F.
  assert (Used : forall b, is_used used b = true -> _) by (exact (used_units p unit used P U)).
  constructor.
  - intros b B. destruct (Used b B) as [Ib [A [S [D [X _]]]]].
    assert (N := not_below p o V b Ib). assert (H := F b Ib).
    unfold rounded, first_low, first_high.
    destruct (fixed (buffer_of p b)) as [x |] eqn:E.
    + assert (O := at_fixed p o V b x Ib E). rewrite O in *.
      rewrite (floor_fix unit x P (X x eq_refl)). lia.
    + assert (L : o b / unit * unit <= o b) by (assert (M := Z.mul_div_le (o b) unit P); lia).
      assert (0 <= o b / unit * unit) by (assert (M := Z.div_pos (o b) unit N P); nia).
      split; [assumption |].
      assert (Q := step_positive p unit used P U b B).
      assert (Y : (step p unit b | o b / unit * unit)).
      { unfold step. rewrite E. destruct (divides (alignment (buffer_of p b)) unit) eqn:G.
        - exists (o b / unit). reflexivity.
        - destruct D as [D | D].
          + assert (O := aligned p o V b Ib E). rewrite floor_fix; auto. destruct D as [m D], O as [n O].
            exists (n * m). rewrite O, D. ring.
          + exfalso. unfold divides in G. apply Z.eqb_neq in G. apply G. apply Z.mod_divide; [lia | assumption]. }
      assert (Z1 := floor_mono (step p unit b) (o b / unit * unit) (capacity - size (buffer_of p b)) 0 Q
                      (Z.divide_0_r _) ltac:(lia)).
      rewrite (floor_fix _ _ Q Y) in Z1. lia.
  - intros b B. destruct (Used b B) as [Ib [A [S [D [X _]]]]]. unfold rounded, step.
    destruct (fixed (buffer_of p b)) as [x |] eqn:E; [apply Z.divide_1_l |].
    destruct (divides (alignment (buffer_of p b)) unit) eqn:G.
    + exists (o b / unit). reflexivity.
    + destruct D as [D | D].
      * assert (O := aligned p o V b Ib E).
        assert (W : (unit | o b)) by (eapply Z.divide_trans; eauto).
        rewrite floor_fix; auto.
      * exfalso. unfold divides in G. apply Z.eqb_neq in G. apply G. apply Z.mod_divide; [lia | assumption].
  - intros i j w I J N W.
    destruct (Used i I) as [Ii [_ [Si [_ [_ Gi]]]]]. destruct (Used j J) as [Ij [_ [Sj [_ [_ Gj]]]]].
    assert (Apart : forall a b c d, (unit | a) -> (unit | b) -> (unit | c) -> (unit | d) ->
      disjoint (o i + a) (o i + b) (o j + c) (o j + d) ->
      ~ (a - d < rounded unit o j - rounded unit o i < b - c)).
    { unfold disjoint, rounded. intros a b c d Da Db Dc Dd [H | H].
      - assert (M := floor_mono unit (o i) (o j) (b - c) P (Z.divide_sub_r _ _ _ Db Dc) ltac:(lia)). lia.
      - assert (M := floor_mono unit (o j) (o i) (d - a) P (Z.divide_sub_r _ _ _ Dd Da) ltac:(lia)). lia. }
    unfold windows in W. apply in_app_or in W. destruct W as [W | W].
    + destruct (conflict p i j) eqn:C; [| contradiction]. destruct W as [<- | []]. simpl.
      assert (H := apart p o V i j Ii Ij N C).
      intros X. apply (Apart 0 (size (buffer_of p i)) 0 (size (buffer_of p j))); auto using Z.divide_0_r.
      * unfold disjoint in *. lia.
      * lia.
    + apply in_flat_map in W. destruct W as [s [Ws W]]. apply in_flat_map in W. destruct W as [t [Wt W]].
      destruct ((lower s <? upper t) && (lower t <? upper s)) eqn:L; [| contradiction].
      destruct W as [<- | []]. simpl. apply andb_true_iff in L. destruct L as [L1 L2].
      apply Z.ltb_lt in L1, L2. destruct (Gi s Ws), (Gj t Wt).
      apply Apart; auto. apply (apart_in_time p o V i j s t Ii Ij N Ws Wt). split; assumption.
Qed.

(* Buffers that are alike change places, and what excludes other plans does not notice. *)
Section Exchange.
Variable p : problem.
Variable capacity unit : Z.
Variable used : M.t Datatypes.unit.

Lemma everyone_all : forall b, is_buffer p b -> In b (everyone p).
Proof.
  unfold everyone, is_buffer. intros b.
  set (f := fun x : list positive * positive => (snd x :: fst x, Pos.succ (snd x))).
  assert (Next : forall n, snd (Pos.iter f ([], 1%positive) n) = Pos.succ n).
  { intros n. induction n using Pos.peano_ind; [reflexivity |].
    rewrite Pos.iter_succ. simpl. rewrite IHn. reflexivity. }
  generalize (count p). intros n. induction n using Pos.peano_ind; intros B.
  - left. simpl. lia.
  - rewrite Pos.iter_succ. simpl. rewrite Next.
    destruct (Pos.eq_dec b (Pos.succ n)); [left; congruence | right; apply IHn; lia].
Qed.

Lemma same_segments_equal : forall ss ts, same_segments ss ts = true -> ss = ts.
Proof.
  induction ss as [| s ss IH]; intros [| t ts] H; simpl in H; try discriminate; [reflexivity |].
  repeat rewrite andb_true_iff in H. destruct H as [[[[A B] C] D] E].
  apply Z.eqb_eq in A, B, C, D. f_equal; [| auto].
  destruct s, t. simpl in *. congruence.
Qed.

Record twin (i j : positive) : Prop := {
  twin_i : is_used used i = true;
  twin_j : is_used used j = true;
  twin_size : size (buffer_of p i) = size (buffer_of p j);
  twin_alignment : alignment (buffer_of p i) = alignment (buffer_of p j);
  twin_free_i : fixed (buffer_of p i) = None;
  twin_free_j : fixed (buffer_of p j) = None;
  twin_segments : segments (buffer_of p i) = segments (buffer_of p j);
  twin_pairs : forall k, is_buffer p k ->
    conflict p i k = false /\ conflict p k i = false /\ conflict p j k = false /\ conflict p k j = false }.

Lemma alike_twin : forall i j, alike p used i j = true -> twin i j.
Proof.
  unfold alike. intros i j H. repeat rewrite andb_true_iff in H.
  destruct H as [[[[[[A B] C] D] E] F] G].
  destruct (fixed (buffer_of p i)) eqn:X; [discriminate |].
  destruct (fixed (buffer_of p j)) eqn:Y; [discriminate |].
  apply Z.eqb_eq in C, D. apply same_segments_equal in F. rewrite forallb_forall in G.
  constructor; auto. intros k K. specialize (G k (everyone_all k K)).
  apply negb_true_iff in G. repeat rewrite orb_false_iff in G. tauto.
Qed.

Definition other (i j b : positive) : positive :=
  if (b =? i)%positive then j else if (b =? j)%positive then i else b.

Definition swap (i j : positive) (o : plan) : plan := fun b => o (other i j b).

Lemma other_cases : forall i j b,
  (b = i /\ other i j b = j) \/ (b = j /\ b <> i /\ other i j b = i) \/ (b <> i /\ b <> j /\ other i j b = b).
Proof.
  intros i j b. unfold other. destruct (b =? i)%positive eqn:E.
  - apply Pos.eqb_eq in E. auto.
  - apply Pos.eqb_neq in E. destruct (b =? j)%positive eqn:F.
    + apply Pos.eqb_eq in F. auto.
    + apply Pos.eqb_neq in F. auto.
Qed.

Hypothesis unit_positive : 0 < unit.
Hypothesis all_in_units : forall b, is_used used b = true -> in_units p unit b = true.

Lemma used_buffer : forall b, is_used used b = true -> is_buffer p b.
Proof. intros b U. apply (used_units p unit used unit_positive all_in_units b U). Qed.

Lemma other_windows : forall i j a b, twin i j -> is_used used a = true -> is_used used b = true ->
  windows p (other i j a) (other i j b) = windows p a b.
Proof.
  intros i j a b T A B. apply used_buffer in A, B.
  assert (I := used_buffer i (twin_i i j T)). assert (J := used_buffer j (twin_j i j T)).
  assert (Pa := twin_pairs i j T a A). assert (Pb := twin_pairs i j T b B).
  assert (Pi := twin_pairs i j T i I). assert (Pj := twin_pairs i j T j J).
  unfold windows.
  destruct (other_cases i j a) as [[-> ->] | [[-> [_ ->]] | [_ [_ ->]]]];
    destruct (other_cases i j b) as [[-> ->] | [[-> [_ ->]] | [_ [_ ->]]]];
    rewrite ?(twin_size i j T), ?(twin_segments i j T);
    repeat match goal with H : _ /\ _ |- _ => destruct H end;
    repeat match goal with H : conflict p _ _ = false |- _ => rewrite H; clear H end; reflexivity.
Qed.

Lemma other_inj : forall i j a b, other i j a = other i j b -> a = b.
Proof.
  intros i j a b E.
  destruct (other_cases i j a) as [[? X] | [[? [? X]] | [? [? X]]]];
    destruct (other_cases i j b) as [[? Y] | [[? [? Y]] | [? [? Y]]]]; congruence.
Qed.

Lemma swap_good : forall i j o, twin i j -> good p capacity unit used o -> good p capacity unit used (swap i j o).
Proof.
  intros i j o T [B S N].
  assert (Ui := twin_i i j T). assert (Uj := twin_j i j T).
  assert (Used : forall b, is_used used b = true -> is_used used (other i j b) = true).
  { intros b U. destruct (other_cases i j b) as [[_ ->] | [[_ [_ ->]] | [_ [_ ->]]]]; auto. }
  assert (Low : forall b, first_low p (other i j b) = first_low p b).
  { intros b. unfold first_low.
    destruct (other_cases i j b) as [[-> ->] | [[-> [_ ->]] | [_ [_ ->]]]]; auto;
      rewrite (twin_free_i i j T), (twin_free_j i j T); reflexivity. }
  assert (Step : forall b, step p unit (other i j b) = step p unit b).
  { intros b. unfold step.
    destruct (other_cases i j b) as [[-> ->] | [[-> [_ ->]] | [_ [_ ->]]]]; auto;
      rewrite (twin_free_i i j T), (twin_free_j i j T), (twin_alignment i j T); reflexivity. }
  assert (High : forall b, first_high p capacity unit (other i j b) = first_high p capacity unit b).
  { intros b. unfold first_high. rewrite Step.
    destruct (other_cases i j b) as [[-> ->] | [[-> [_ ->]] | [_ [_ ->]]]]; auto;
      rewrite (twin_free_i i j T), (twin_free_j i j T), (twin_size i j T); reflexivity. }
  unfold swap. constructor.
  - intros b U. rewrite <- Low, <- High. auto.
  - intros b U. rewrite <- Step. auto.
  - intros a b w A C D W. rewrite <- (other_windows i j a b T A C) in W.
    apply (N _ _ w (Used a A) (Used b C)); auto. intros E. apply D. apply (other_inj i j). assumption.
Qed.

(* Exchanges end, since each makes this sum greater. *)
Fixpoint weigh (o : plan) (bs : list positive) : Z :=
  match bs with [] => 0 | b :: bs => Zpos b * o b + weigh o bs end.

Lemma weigh_same : forall o q bs, (forall b, In b bs -> q b = o b) -> weigh q bs = weigh o bs.
Proof.
  induction bs as [| b bs IH]; simpl; intros H; [reflexivity |].
  rewrite (H b) by auto. rewrite IH by auto. reflexivity.
Qed.

Lemma weigh_change : forall o q i bs, NoDup bs -> In i bs -> (forall b, b <> i -> q b = o b) ->
  weigh q bs = weigh o bs + Zpos i * (q i - o i).
Proof.
  induction bs as [| b bs IH]; cbn [weigh In]; intros D I H; [contradiction |].
  inversion D as [| x xs Out D']; subst. destruct (Pos.eq_dec b i); subst.
  - rewrite (weigh_same o q bs); [ring |]. intros c C. apply H. congruence.
  - rewrite (H b) by assumption. rewrite IH; auto; [ring |]. destruct I; [congruence | assumption].
Qed.

Lemma weigh_swap : forall i j o bs, NoDup bs -> In i bs -> In j bs -> i <> j ->
  weigh (swap i j o) bs = weigh o bs + (Zpos j - Zpos i) * (o i - o j).
Proof.
  intros i j o bs D I J N.
  set (q := fun b => if (b =? i)%positive then o j else o b).
  assert (Qi : q i = o j) by (unfold q; rewrite Pos.eqb_refl; reflexivity).
  assert (Q : forall b, b <> i -> q b = o b).
  { intros b B. unfold q. apply Pos.eqb_neq in B. rewrite B. reflexivity. }
  rewrite (weigh_change q (swap i j o) j bs D J).
  - rewrite (weigh_change o q i bs D I Q). rewrite Qi, (Q j) by congruence.
    unfold swap. destruct (other_cases i j j) as [[? X] | [[_ [_ ->]] | [_ [X _]]]]; [congruence | lia | congruence].
  - intros b B. unfold swap. destruct (other_cases i j b) as [[-> ->] | [[? _] | [C [_ ->]]]];
      [congruence | contradiction | rewrite Q; auto].
Qed.

Lemma weigh_bound : forall o bs, good p capacity unit used o -> (forall b, In b bs -> is_used used b = true) ->
  weigh o bs <= weigh (first_high p capacity unit) bs.
Proof.
  induction bs as [| b bs IH]; cbn [weigh In]; intros G U; [lia |].
  assert (B := in_bounds p capacity unit used o G b (U b (or_introl eq_refl))).
  assert (weigh o bs <= weigh (first_high p capacity unit) bs) by auto. nia.
Qed.

Lemma sorted_exists : forall bs, NoDup bs -> (forall b, is_used used b = true <-> In b bs) ->
  forall n o, good p capacity unit used o -> weigh (first_high p capacity unit) bs - weigh o bs <= Z.of_nat n ->
  exists q, good p capacity unit used q /\ sorted p used q.
Proof.
  intros bs D U. induction n as [| n IH]; intros o G W;
    (destruct (existsb (fun i => existsb (fun j => (i <? j)%positive && alike p used i j && (o j <? o i)) bs) bs) eqn:E;
     [apply existsb_exists in E; destruct E as [i [I E]]; apply existsb_exists in E; destruct E as [j [J E]];
      repeat rewrite andb_true_iff in E; destruct E as [[L A] M]; apply Pos.ltb_lt in L; apply Z.ltb_lt in M;
      assert (T := alike_twin i j A); assert (G' := swap_good i j o T G);
      assert (S := weigh_swap i j o bs D I J ltac:(lia));
      assert (B := weigh_bound (swap i j o) bs G' (fun b => proj2 (U b)));
      assert (1 <= (Zpos j - Zpos i) * (o i - o j)) by nia
     | exists o; split; [assumption |]; intros i j L A; assert (T := alike_twin i j A);
       destruct (Z_le_dec (o i) (o j)); [assumption |]; exfalso;
       assert (X : existsb (fun i => existsb (fun j => (i <? j)%positive && alike p used i j && (o j <? o i)) bs) bs = true);
       [apply existsb_exists; exists i; split; [apply U; apply (twin_i i j T) |];
        apply existsb_exists; exists j; split; [apply U; apply (twin_j i j T) |];
        repeat rewrite andb_true_iff; repeat split; auto; [apply Pos.ltb_lt; assumption | apply Z.ltb_lt; lia]
       | congruence]]).
  - simpl in W. lia.
  - apply (IH (swap i j o) G'). lia.
Qed.

Lemma used_list : exists bs, NoDup bs /\ forall b, is_used used b = true <-> In b bs.
Proof.
  exists (nodup Pos.eq_dec (map fst (M.elements used))). split; [apply NoDup_nodup |].
  intros b. rewrite nodup_In, in_map_iff. unfold is_used. rewrite M.mem_find. split.
  - destruct (M.find b used) as [u |] eqn:E; [| discriminate]. intros _.
    exists (b, u). split; [reflexivity | apply M.elements_correct; assumption].
  - intros [[c u] [<- I]]. simpl. rewrite (M.elements_complete used c u I). reflexivity.
Qed.

Lemma good_sorted : forall o, good p capacity unit used o -> exists q, good p capacity unit used q /\ sorted p used q.
Proof.
  intros o G. destruct used_list as [bs [D U]].
  apply (sorted_exists bs D U (Z.to_nat (weigh (first_high p capacity unit) bs - weigh o bs)) o G). lia.
Qed.

End Exchange.

(* The theorem: where the checker accepts a log, no valid plan of the problem fits the capacity. *)
Theorem accepted_logs_are_right : forall p capacity unit used xs,
  check p capacity unit used xs = true -> forall o, valid p o -> ~ fits p o capacity.
Proof.
  intros p capacity unit used xs H o V F. unfold check in H.
  repeat rewrite andb_true_iff in H. destruct H as [[P U] H]. apply Z.ltb_lt in P.
  assert (Units : forall b, is_used used b = true -> in_units p unit b = true).
  { intros b B. rewrite forallb_forall in U. unfold is_used in B. rewrite M.mem_find in B.
    destruct (M.find b used) as [u |] eqn:E; [| discriminate].
    exact (U (b, u) (M.elements_correct used b E)). }
  destruct (good_sorted p capacity unit used P Units _ (good_rounded p capacity unit used o P Units V F))
    as [q [G S]].
  destruct (check_lines p capacity unit used nothing xs) as [k |] eqn:C; [| discriminate].
  assert (A : all_fine p capacity unit used q k).
  { eapply lines_fine; eauto. apply nothing_fine. }
  destruct A as [_ _ R]. congruence.
Qed.

Print Assumptions accepted_logs_are_right.
