(* The checking function of docs/proofs.md: the rules of memplan-proof/1 over lines that were read. *)
Require Import ZArith List Bool FMapPositive.
Require Import Problem.
Import ListNotations.
Open Scope Z_scope.

Module M := PositiveMap.

Record choice := { from : positive; to : positive; up : Z; down : Z }.
Definition literal := (bool * positive)%type.
Definition opposite (l : literal) : literal := (negb (fst l), snd l).
Record member := { who : positive; first : Z; last : Z }.

Inductive line :=
| Choice (c : choice)
| Clique (ms : list member)
| Clause (ls : list literal)
| Forget (cs : list positive)
| Pass (l : literal)
| Exclude (l : literal)
| Use (c : positive)
| Weaken (l m : literal)
| Twins (l : literal)
| Overload (q : positive) (a b : Z)
| Rounded (q : positive) (a b multiple : Z)
| Edge (q : positive) (a b : Z) (l : literal)
| Chain (down : bool) (q : positive) (address : Z) (ls : list literal)
| Handover (down : bool) (q : positive) (a b : Z) (r taker : positive) (offset : Z).

Section Checker.
Variable p : problem.
Variable capacity unit : Z.
Variable used : M.t Datatypes.unit.

Definition is_used (b : positive) : bool := M.mem b used.

(* What no plan does. *)
Definition windows (i j : positive) : list (Z * Z) :=
  (if conflict p i j then [(- size (buffer_of p j), size (buffer_of p i))] else []) ++
  flat_map (fun s => flat_map (fun t =>
    if (lower s <? upper t) && (lower t <? upper s) then [(begin s - stop t, stop s - begin t)] else [])
    (segments (buffer_of p j))) (segments (buffer_of p i)).

Fixpoint cover {A} (fuel : list A) (low high : Z) (ws : list (Z * Z)) : bool :=
  if high <? low then true else
  match fuel with
  | [] => false
  | _ :: fuel =>
    match find (fun w => (fst w <? low) && (low <? snd w)) ws with
    | Some w => cover fuel (snd w) high ws
    | None => false
    end
  end.

(* No plan has a difference, j's offset less i's, from low to high. *)
Definition forbids (i j : positive) (low high : Z) : bool :=
  if high <? low then true else
  if (i =? j)%positive then false else
  let ws := windows i j in cover ws low high ws.

(* Two buffers are alike: they can change places in every plan. *)
Definition everyone : list positive :=
  fst (Pos.iter (fun x => (snd x :: fst x, Pos.succ (snd x))) ([], 1%positive) (count p)).

Fixpoint same_segments (ss ts : list segment) : bool :=
  match ss, ts with
  | [], [] => true
  | s :: ss, t :: ts => (lower s =? lower t) && (upper s =? upper t) && (begin s =? begin t) &&
                        (stop s =? stop t) && same_segments ss ts
  | _, _ => false
  end.

Definition alike (i j : positive) : bool :=
  let f := buffer_of p i in
  let g := buffer_of p j in
  is_used i && is_used j && (size f =? size g) && (alignment f =? alignment g) &&
  match fixed f, fixed g with None, None => true | _, _ => false end &&
  same_segments (segments f) (segments g) &&
  forallb (fun k => negb (conflict p i k || conflict p k i || conflict p j k || conflict p k j)) everyone.

(* Where buffers can lie. *)
Definition divides (d n : Z) : bool := n mod d =? 0.

Definition step (b : positive) : Z :=
  match fixed (buffer_of p b) with
  | Some _ => 1
  | None => if divides (alignment (buffer_of p b)) unit then unit else alignment (buffer_of p b)
  end.

Definition in_units (b : positive) : bool :=
  let f := buffer_of p b in
  (b <=? count p)%positive && (0 <? alignment f) && divides unit (size f) &&
  (divides unit (alignment f) || divides (alignment f) unit) &&
  match fixed f with Some x => divides unit x | None => true end &&
  forallb (fun s => divides unit (begin s) && divides unit (stop s)) (segments f).

Definition first_low (b : positive) : Z :=
  match fixed (buffer_of p b) with Some x => x | None => 0 end.
Definition first_high (b : positive) : Z :=
  let highest := capacity - size (buffer_of p b) in
  match fixed (buffer_of p b) with
  | Some x => Z.min x highest
  | None => highest / step b * step b
  end.

Record state := { lows : M.t Z; highs : M.t Z; holding : M.t Datatypes.unit; refuting : M.t Datatypes.unit;
                  absurd : bool }.

Definition low (s : state) (b : positive) : Z :=
  match M.find b (lows s) with Some x => x | None => first_low b end.
Definition high (s : state) (b : positive) : Z :=
  match M.find b (highs s) with Some x => x | None => first_high b end.

Definition start : state := {| lows := M.empty Z; highs := M.empty Z;
  holding := M.empty _; refuting := M.empty _;
  absurd := existsb (fun b => first_high (fst b) <? first_low (fst b)) (M.elements used) |}.

Definition impossible (s : state) : state :=
  {| lows := lows s; highs := highs s; holding := holding s; refuting := refuting s; absurd := true |}.

Definition raise (s : state) (b : positive) (x : Z) : state :=
  if x <=? low s b then s else
  let x := - ((- x) / step b * step b) in
  {| lows := M.add b x (lows s); highs := highs s; holding := holding s; refuting := refuting s;
     absurd := absurd s || (high s b <? x) |}.

Definition drop (s : state) (b : positive) (x : Z) : state :=
  if high s b <=? x then s else
  let x := x / step b * step b in
  {| lows := lows s; highs := M.add b x (highs s); holding := holding s; refuting := refuting s;
     absurd := absurd s || (x <? low s b) |}.

Definition holds (s : state) (l : literal) : bool :=
  M.mem (snd l) (if fst l then holding s else refuting s).

Definition hold (s : state) (l : literal) : state :=
  {| lows := lows s; highs := highs s;
     holding := if fst l then M.add (snd l) tt (holding s) else holding s;
     refuting := if fst l then refuting s else M.add (snd l) tt (refuting s);
     absurd := absurd s || holds s (opposite l) |}.

(* What is known of the whole log so far. *)
Record known := { choices : M.t choice; next_choice : positive;
                  cliques : M.t (list member); next_clique : positive;
                  clauses : M.t (list literal); next_clause : positive;
                  proving : option (list literal * state); refuted : bool }.

Definition nothing : known :=
  {| choices := M.empty _; next_choice := 1; cliques := M.empty _; next_clique := 1;
     clauses := M.empty _; next_clause := 1; proving := None; refuted := false |}.

(* to's offset is at least from's plus the distance *)
Record difference := { source : positive; target : positive; distance : Z }.

Definition get (k : known) (l : literal) : option difference :=
  match M.find (snd l) (choices k) with
  | None => None
  | Some c => Some (if fst l then {| source := from c; target := to c; distance := up c |}
                    else {| source := to c; target := from c; distance := down c |})
  end.

Definition guard (b : bool) (s : state) : option state := if b then Some s else None.

Definition find_member (ms : list member) (b : positive) : option member :=
  find (fun m => (who m =? b)%positive) ms.

Definition lies_in (s : state) (a b : Z) (m : member) : bool :=
  (a <=? low s (who m) + first m) && (high s (who m) + last m <=? b).

Fixpoint bytes (ms : list member) : Z :=
  match ms with [] => 0 | m :: ms => last m - first m + bytes ms end.

Definition overfull (s : state) (ms : list member) (a b : Z) (more : list positive) : bool :=
  Z.max 0 (b - a) <? bytes (filter (fun m => lies_in s a b m || existsb (Pos.eqb (who m)) more) ms).

(* The bytes of a member begin at a multiple in every plan. *)
Definition begins_at (multiple : Z) (m : member) : bool :=
  divides multiple (first m) &&
  divides multiple (match fixed (buffer_of p (who m)) with Some x => x | None => step (who m) end).

Definition rounded_up (multiple : Z) (m : member) : member :=
  {| who := who m; first := first m; last := - ((- last m) / multiple * multiple) |}.

Fixpoint most_added (multiple : Z) (ms : list member) : Z :=
  match ms with [] => 0 | m :: ms => Z.max (last (rounded_up multiple m) - last m) (most_added multiple ms) end.

(* The literals of a chain, which all name the same buffer on one side: the members on the other one,
   each of which is checked, in the order of the clique. *)
Fixpoint chained (k : known) (s : state) (down : bool) (ms : list member) (mover : member) (address : Z)
  (ls : list literal) (rest : list member) : option Z :=
  match ls with
  | [] => Some 0
  | l :: ls =>
    match get k l with
    | None => None
    | Some d =>
      let passed := if down then target d else source d in
      let moved := if down then source d else target d in
      (fix skip (rest : list member) : option Z :=
        match rest with
        | [] => None
        | m :: rest =>
          if (who m =? passed)%positive then
            let '(i, j) := if down then (mover, m) else (m, mover) in
            if holds s l && (moved =? who mover)%positive && (last i - first j <=? distance d) &&
               (if down then high s (who m) + last m <=? address else address <=? low s (who m) + first m)
            then match chained k s down ms mover address ls rest with
                 | Some sum => Some (last m - first m + sum)
                 | None => None
                 end
            else None
          else skip rest
        end) rest
    end
  end.

(* The bytes of a member are never the taker's, as they are in a clique with it. *)
Definition is_apart (rs : list member) (taker m : member) : bool :=
  match find_member rs (who m) with
  | Some n => negb (who m =? who taker)%positive && (first n <=? first m) && (last m <=? last n)
  | None => false
  end.

(* The bytes of the members between two addresses that are not the taker's, even if it lies at the offset near. *)
Fixpoint untouched (s : state) (rs : list member) (down : bool) (a b : Z) (taker : member) (near : Z)
  (ms : list member) : Z :=
  match ms with
  | [] => 0
  | m :: ms =>
    let reach := if down then high s (who m) + last m - (near + first taker)
                 else near + last taker - (low s (who m) + first m) in
    (if lies_in s a b m then
       last m - first m - (if is_apart rs taker m then 0 else Z.max 0 (Z.min reach (last m - first m)))
     else 0) + untouched s rs down a b taker near ms
  end.

Definition infer (k : known) (s : state) (x : line) : option state :=
  if absurd s then Some s else
  match x with
  | Pass l =>
    match get k l with
    | Some d => guard (holds s l)
                  (drop (raise s (target d) (low s (source d) + distance d)) (source d)
                        (high s (target d) - distance d))
    | None => None
    end
  | Exclude l =>
    match get k l with
    | Some d => guard (high s (target d) <? low s (source d) + distance d) (hold s (opposite l))
    | None => None
    end
  | Use c =>
    match M.find c (clauses k) with
    | Some ls => match filter (fun l => negb (holds s (opposite l))) ls with
                 | [] => Some (impossible s)
                 | [l] => Some (hold s l)
                 | _ => None
                 end
    | None => None
    end
  | Weaken l m =>
    match get k l, get k m with
    | Some d, Some e => guard (holds s l && (source d =? source e)%positive && (target d =? target e)%positive &&
                               (distance e <=? distance d)) (hold s m)
    | _, _ => None
    end
  | Twins l =>
    match get k l, get k (opposite l) with
    | Some d, Some e => guard ((source d <? target d)%positive && (1 <=? distance e) &&
                               alike (source d) (target d)) (hold s l)
    | _, _ => None
    end
  | Overload q a b =>
    match M.find q (cliques k) with
    | Some ms => guard (overfull s ms a b []) (impossible s)
    | None => None
    end
  | Rounded q a b multiple =>
    match M.find q (cliques k) with
    | Some ms =>
      let ms := filter (fun m => lies_in s a b m && begins_at multiple m) ms in
      guard ((0 <=? a) && (0 <? multiple) &&
             (Z.max 0 (b - a) + most_added multiple ms <? bytes (map (rounded_up multiple) ms))) (impossible s)
    | None => None
    end
  | Edge q a b l =>
    match M.find q (cliques k), get k (opposite l) with
    | Some ms, Some d =>
      match find_member ms (source d), find_member ms (target d) with
      | Some j, Some i =>
        guard ((last j - first i <=? distance d) && (a <=? low s (who j) + first j) &&
               (high s (who i) + last i <=? b) && overfull s ms a b [who i; who j]) (hold s l)
      | _, _ => None
      end
    | _, _ => None
    end
  | Chain down q address ls =>
    match M.find q (cliques k), ls with
    | Some ms, l :: _ =>
      match get k l with
      | Some d =>
        match find_member ms (if down then source d else target d) with
        | Some mover =>
          match chained k s down ms mover address ls ms with
          | Some sum => Some (if down then drop s (who mover) (address - sum - last mover)
                              else raise s (who mover) (address + sum - first mover))
          | None => None
          end
        | None => None
        end
      | None => None
      end
    | _, _ => None
    end
  | Handover down q a b r who_takes offset =>
    match M.find q (cliques k), M.find r (cliques k) with
    | Some ms, Some rs =>
      match find_member rs who_takes with
      | Some taker =>
        let d := step (who taker) in
        let near := if down then - ((- offset - 1) / d * d) else (offset - 1) / d * d in
        guard ((Z.abs offset <=? capacity) && lies_in s a b taker && (a <=? near + first taker) &&
               (near + last taker <=? b) &&
               (b - a <? last taker - first taker + untouched s rs down a b taker near ms))
              (if down then drop s (who taker) offset else raise s (who taker) offset)
      | None => None
      end
    | _, _ => None
    end
  | _ => None
  end.

Definition end_clause (k : known) : option known :=
  match proving k with
  | None => Some k
  | Some (ls, s) =>
    if absurd s then
      Some {| choices := choices k; next_choice := next_choice k; cliques := cliques k;
              next_clique := next_clique k; clauses := M.add (next_clause k) ls (clauses k);
              next_clause := Pos.succ (next_clause k); proving := None;
              refuted := refuted k || match ls with [] => true | _ => false end |}
    else None
  end.

Fixpoint is_clique (ms : list member) : bool :=
  match ms with
  | [] => true
  | m :: rest =>
    is_used (who m) && (first m <? last m) &&
    forallb (fun n => forbids (who m) (who n) (first m - last n + 1) (last m - first n - 1)) rest && is_clique rest
  end.

Fixpoint assume (k : known) (s : state) (ls : list literal) : option state :=
  match ls with
  | [] => Some s
  | l :: ls => match get k l with Some _ => assume k (hold s (opposite l)) ls | None => None end
  end.

Definition declare (k : known) (x : line) : option known :=
  match x with
  | Choice c =>
    if is_used (from c) && is_used (to c) && forbids (from c) (to c) (1 - down c) (up c - 1) &&
       (1 <=? up c + down c) then
      Some {| choices := M.add (next_choice k) c (choices k); next_choice := Pos.succ (next_choice k);
              cliques := cliques k; next_clique := next_clique k; clauses := clauses k;
              next_clause := next_clause k; proving := proving k; refuted := refuted k |}
    else None
  | Clique ms =>
    if is_clique ms then
      Some {| choices := choices k; next_choice := next_choice k; cliques := M.add (next_clique k) ms (cliques k);
              next_clique := Pos.succ (next_clique k); clauses := clauses k; next_clause := next_clause k;
              proving := proving k; refuted := refuted k |}
    else None
  | Clause ls =>
    match assume k start ls with
    | Some s =>
      Some {| choices := choices k; next_choice := next_choice k; cliques := cliques k;
              next_clique := next_clique k; clauses := clauses k; next_clause := next_clause k;
              proving := Some (ls, s); refuted := refuted k |}
    | None => None
    end
  | Forget cs =>
    if forallb (fun c => (c <? next_clause k)%positive) cs then
    Some {| choices := choices k; next_choice := next_choice k; cliques := cliques k;
            next_clique := next_clique k; clauses := fold_left (fun m c => M.remove c m) cs (clauses k);
            next_clause := next_clause k; proving := proving k; refuted := refuted k |}
    else None
  | _ => None
  end.

Definition check_line (k : known) (x : line) : option known :=
  match x with
  | Choice _ | Clique _ | Clause _ | Forget _ =>
    match end_clause k with Some k => declare k x | None => None end
  | _ =>
    match proving k with
    | None => None
    | Some (ls, s) =>
      match infer k s x with
      | Some s => Some {| choices := choices k; next_choice := next_choice k; cliques := cliques k;
                          next_clique := next_clique k; clauses := clauses k; next_clause := next_clause k;
                          proving := Some (ls, s); refuted := refuted k |}
      | None => None
      end
    end
  end.

Fixpoint check_lines (k : known) (xs : list line) : option known :=
  match xs with
  | [] => end_clause k
  | x :: xs => match check_line k x with Some k => check_lines k xs | None => None end
  end.

Definition check (xs : list line) : bool :=
  (0 <? unit) && forallb (fun b => in_units (fst b)) (M.elements used) &&
  match check_lines nothing xs with Some k => refuted k | None => false end.

End Checker.
