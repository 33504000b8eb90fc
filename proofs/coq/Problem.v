(* What is proved: the problem, its plans, and that a plan fits a capacity. Buffers are the numbers
   from 1 to [count]. Everything else here serves the theorem at the end of Sound.v. *)
Require Import ZArith List.
Open Scope Z_scope.

(* A buffer is live at the steps from [lower] to before [upper] and uses its bytes from [begin] to
   before [stop] there. *)
Record segment := { lower : Z; upper : Z; begin : Z; stop : Z }.

Record buffer := {
  size : Z;
  alignment : Z;
  fixed : option Z;       (* its only offset *)
  segments : list segment }.

Record problem := {
  count : positive;
  buffer_of : positive -> buffer;
  conflict : positive -> positive -> bool }.   (* whatever their segments *)

Definition is_buffer (p : problem) (b : positive) : Prop := (b <= count p)%positive.

(* A plan gives each buffer an offset. *)
Definition plan := positive -> Z.

Definition disjoint (a b c d : Z) : Prop := b <= c \/ d <= a.

Definition overlap (s t : segment) : Prop := lower s < upper t /\ lower t < upper s.

Record valid (p : problem) (o : plan) : Prop := {
  not_below : forall b, is_buffer p b -> 0 <= o b;
  aligned : forall b, is_buffer p b -> fixed (buffer_of p b) = None ->
    (alignment (buffer_of p b) | o b);
  at_fixed : forall b x, is_buffer p b -> fixed (buffer_of p b) = Some x -> o b = x;
  apart_in_time : forall i j s t, is_buffer p i -> is_buffer p j -> i <> j ->
    In s (segments (buffer_of p i)) -> In t (segments (buffer_of p j)) -> overlap s t ->
    disjoint (o i + begin s) (o i + stop s) (o j + begin t) (o j + stop t);
  apart : forall i j, is_buffer p i -> is_buffer p j -> i <> j -> conflict p i j = true ->
    disjoint (o i) (o i + size (buffer_of p i)) (o j) (o j + size (buffer_of p j)) }.

Definition fits (p : problem) (o : plan) (capacity : Z) : Prop :=
  forall b, is_buffer p b -> o b + size (buffer_of p b) <= capacity.
