(* The checking function as OCaml, for verified.ml. *)
Require Import Problem Check Sound.
Require Import Extraction ExtrOcamlBasic.
Extraction "checked.ml" check.
