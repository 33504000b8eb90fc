(* memplan-check-verified PROBLEM LOG: reads both files and calls the function of Check.v, which was
   extracted from Coq. What is believed beside Coq: this file, which reads, and OCaml. Exit codes as
   memplan-check. *)
open Checked

exception Unreadable of string
exception Refused of string

let unreadable text = Stdlib.raise (Unreadable text)

(* Numbers. *)
let rec positive n = if n = 1 then XH else if n land 1 = 1 then XI (positive (n lsr 1)) else XO (positive (n lsr 1))
let integer n = if n = 0 then Z0 else if n > 0 then Zpos (positive n) else Zneg (positive (-n))
let rec of_positive = function XH -> 1 | XO p -> 2 * of_positive p | XI p -> 2 * of_positive p + 1

(* Digits, maybe behind a minus, below 2^62, which an int of OCaml holds. *)
let number word =
  let length = String.length word in
  let first = if length > 0 && word.[0] = '-' then 1 else 0 in
  if length = first then unreadable ("no number: " ^ word);
  let value = ref 0 in
  for i = first to length - 1 do
    let digit = Char.code word.[i] - 48 in
    if digit < 0 || digit > 9 then unreadable ("no number: " ^ word);
    if !value > (max_int - digit) / 10 then unreadable ("a number of 2^62 or more: " ^ word);
    value := 10 * !value + digit
  done;
  if first = 1 then - !value else !value

let read_file path =
  try
    let channel = open_in_bin path in
    let text = really_input_string channel (in_channel_length channel) in
    close_in channel; text
  with Sys_error text | Failure text -> unreadable text | End_of_file -> unreadable path

(* JSON. *)
type json = Object of (string * json) list | Array of json list | Text of string | Word of string

let parse_json text =
  let at = ref 0 in
  let peek () = if !at < String.length text then text.[!at] else '\000' in
  let rec blanks () = match peek () with ' ' | '\t' | '\r' | '\n' -> incr at; blanks () | _ -> () in
  let expect c = blanks (); if peek () <> c then unreadable (Printf.sprintf "byte %d: expected '%c'" !at c); incr at in
  let rec text_end i = match if i < String.length text then text.[i] else '\000' with
    | '"' -> i | '\\' -> text_end (i + 2) | c when c < ' ' -> unreadable "a text without an end" | _ -> text_end (i + 1) in
  let string () =
    expect '"';
    let stop = text_end !at in
    let found = String.sub text !at (stop - !at) in
    at := stop + 1; found in
  let rec value depth =
    if depth > 16 then unreadable "more than 16 values inside each other";
    blanks ();
    match peek () with
    | '{' -> incr at; Object (items '}' (fun () -> let key = string () in expect ':'; (key, value (depth + 1))))
    | '[' -> incr at; Array (items ']' (fun () -> value (depth + 1)))
    | '"' -> Text (string ())
    | _ ->
      let start = !at in
      while (match peek () with '\000' | ' ' | '\t' | '\r' | '\n' | ',' | ':' | '}' | ']' | '{' | '[' | '"' -> false | _ -> true) do incr at done;
      if !at = start then unreadable (Printf.sprintf "byte %d: expected a value" !at);
      Word (String.sub text start (!at - start))
  and items : 'a. char -> (unit -> 'a) -> 'a list = fun closing item ->
    blanks ();
    if peek () = closing then (incr at; []) else
      let rec more found =
        let found = item () :: found in
        blanks ();
        if peek () = ',' then (incr at; more found) else (expect closing; List.rev found) in
      more [] in
  let found = value 1 in
  blanks ();
  if !at <> String.length text then unreadable "something behind the end";
  found

(* The problem, as it is read: segments are lower, upper, first byte, one behind the last. *)
type read_buffer = { name : string; bytes : int; step : int; offset : int option; lives : (int * int * int * int) list }

let check_buffer b =
  if b.bytes < 1 || b.step < 1 || (match b.offset with Some o -> o < 0 | None -> false) then unreadable ("the numbers of buffer " ^ b.name);
  let rec join = function
    | (a, b, f, l) :: (b', c, f', l') :: rest when b = b' && f = f' && l = l' -> join ((a, c, f, l) :: rest)
    | s :: rest -> s :: join rest
    | [] -> [] in
  let rec ascend after = function
    | [] -> ()
    | (lower, upper, first, last) :: rest ->
      if lower < after || upper <= lower || first < 0 || last <= first || last > b.bytes then unreadable ("the segments of buffer " ^ b.name);
      ascend upper rest in
  ascend 0 b.lives;
  { b with lives = join b.lives }

let read_json text =
  let fields = function Object fields -> fields | _ -> unreadable "expected an object" in
  let items = function Array items -> items | _ -> unreadable "expected a list" in
  let integer_of = function Word word -> number word | _ -> unreadable "expected a number" in
  let root = fields (parse_json text) in
  if List.assoc_opt "format" root <> Some (Text "memplan-problem/1") then unreadable "expected the format memplan-problem/1";
  if List.mem_assoc "parameters" root then unreadable "found parameters";
  let buffer value =
    let f = fields value in
    if List.mem_assoc "clock" f then unreadable "found a clock";
    let get key other = match List.assoc_opt key f with Some v -> integer_of v | None -> other in
    let bytes = get "size" 0 in
    let segment value = match List.map integer_of (items value) with
      | [a; b] -> (a, b, 0, bytes) | [a; b; c; d] -> (a, b, c, d) | _ -> unreadable "expected a segment" in
    check_buffer {
      name = (match List.assoc_opt "name" f with Some (Text name) -> name | _ -> unreadable "expected a name");
      bytes; step = get "alignment" 1;
      offset = Option.map integer_of (List.assoc_opt "offset" f);
      lives = (match List.assoc_opt "segments" f with Some s -> List.map segment (items s) | None -> []) } in
  let buffers = List.map buffer (match List.assoc_opt "buffers" root with Some b -> items b | None -> unreadable "expected buffers") in
  let index = Hashtbl.create 64 in
  List.iteri (fun i b -> Hashtbl.replace index b.name i) buffers;
  let count = List.length buffers in
  let partner = function
    | Text name -> (match Hashtbl.find_opt index name with Some i -> i | None -> unreadable ("no buffer " ^ name))
    | value -> let i = integer_of value in if i < 0 || i >= count then unreadable "no such buffer" else i in
  let pair value = match items value with [a; b] -> (partner a, partner b) | _ -> unreadable "expected a pair" in
  (buffers, match List.assoc_opt "conflicts" root with Some c -> List.map pair (items c) | None -> [])

(* CSV without gaps in time. *)
let read_csv text =
  let lines = List.filter (fun l -> String.trim l <> "") (String.split_on_char '\n' text) in
  let lines = match lines with l :: rest when l.[0] = '#' -> rest | lines -> lines in
  let cut line = List.map String.trim (String.split_on_char ',' line) in
  let header, rows = match lines with h :: rows -> (cut h, rows) | [] -> unreadable "an empty file" in
  let known = ["id"; "buffer"; "buffer_id"; "lower"; "start"; "begin"; "upper"; "end"; "size"; "alignment"; "offset"; "hint"; "gaps"; "storage_id"] in
  List.iter (fun c -> if not (List.mem c known) then unreadable ("the column " ^ c)) header;
  let row line =
    let fields = cut line in
    if List.length fields <> List.length header then unreadable ("the line " ^ line);
    let find names = List.find_map (fun (c, f) -> if List.mem c names then Some f else None) (List.combine header fields) in
    let need names = match find names with Some f -> f | None -> unreadable ("no column " ^ List.hd names) in
    if not (List.mem (find ["gaps"]) [None; Some ""]) then unreadable "gaps: convert the problem to JSON";
    let bytes = number (need ["size"]) in
    let upper = match find ["upper"] with Some u -> number u | None -> number (need ["end"]) + 1 in
    check_buffer { name = need ["id"; "buffer"; "buffer_id"]; bytes; step = (match find ["alignment"] with Some a -> number a | None -> 1);
      offset = (match find ["offset"] with None | Some "" -> None | Some o -> Some (number o));
      lives = [(number (need ["lower"; "start"; "begin"]), upper, 0, bytes)] } in
  (List.map row rows, [])

let fingerprint buffers =
  let hash = ref 0xcbf29ce484222325L in
  let add text = String.iter (fun c -> hash := Int64.mul (Int64.logxor !hash (Int64.of_int (Char.code c))) 1099511628211L) text in
  List.iter (fun b ->
      let numbers = [b.bytes; b.step; Option.value b.offset ~default:(-1)] @ List.concat_map (fun (a, b, c, d) -> [a; b; c; d]) b.lives in
      List.iter (fun n -> add (string_of_int n ^ " ")) numbers;
      add "\n") buffers;
  Printf.sprintf "%016Lx" !hash

let make_problem buffers pairs =
  let z = integer in
  let table = Array.of_list (List.map (fun b ->
      { size = z b.bytes; alignment = z b.step; fixed = Option.map z b.offset;
        segments = List.map (fun (lower, upper, begin0, stop) -> { lower = z lower; upper = z upper; begin0 = z begin0; stop = z stop }) b.lives }) buffers) in
  (* A pair that conflicts in time says nothing more; it is left out, and fewer conflicts only leave more plans to refute. *)
  let lives = Array.of_list (List.map (fun b -> List.filter (fun (_, _, f, l) -> f = 0 && l = b.bytes) b.lives) buffers) in
  let overlap a b = a <> b && List.exists (fun (a1, a2, _, _) -> List.exists (fun (b1, b2, _, _) -> a1 < b2 && b1 < a2) lives.(b)) lives.(a) in
  let conflicts = Hashtbl.create 64 in
  List.iter (fun (a, b) -> if not (overlap a b) then Hashtbl.replace conflicts (min a b, max a b) ()) pairs;
  { count = positive (Array.length table);
    buffer_of = (fun b -> let i = of_positive b - 1 in if i < Array.length table then table.(i) else Stdlib.raise (Refused "no such buffer"));
    conflict = (fun a b -> let a = of_positive a - 1 and b = of_positive b - 1 in Hashtbl.mem conflicts (min a b, max a b)) }

(* Lines. Numbers of buffers grow by one, since those of Coq begin at 1. *)
let index n = if n < 1 then Stdlib.raise (Refused "no such number") else positive n
let buffer word = let n = number word in if n < 0 then Stdlib.raise (Refused "no such buffer") else positive (n + 1)
let literal word = let n = number word in if n = 0 then Stdlib.raise (Refused "no literal 0") else (n > 0, positive (abs n))

let member size word = match String.split_on_char ':' word with
  | [b] -> { who = buffer b; first = Z0; last = integer (size (number b)) }
  | [b; f; l] -> { who = buffer b; first = integer (number f); last = integer (number l) }
  | _ -> unreadable ("the member " ^ word)

let parse_line size words =
  match words with
  | ["v"; i; j; u; d] -> Choice { from = buffer i; to0 = buffer j; up = integer (number u); down = integer (number d) }
  | "q" :: members -> Clique (List.map (member size) members)
  | "c" :: literals -> Clause (List.map literal literals)
  | "d" :: clauses -> Forget (List.map (fun c -> index (number c)) clauses)
  | ["E"; l] -> Pass (literal l)
  | ["O"; l] -> Exclude (literal l)
  | ["C"; c] -> Use (index (number c))
  | ["P"; l; m] -> Weaken (literal l, literal m)
  | ["T"; l] -> Twins (literal l)
  | ["K"; q; a; b] -> Overload (index (number q), integer (number a), integer (number b))
  | ["R"; q; a; b; multiple] -> Rounded (index (number q), integer (number a), integer (number b), integer (number multiple))
  | ["D"; q; a; b; l] -> Edge (index (number q), integer (number a), integer (number b), literal l)
  | ("H" | "G" as rule) :: q :: a :: ls -> Chain (rule = "G", index (number q), integer (number a), List.map literal ls)
  | ["W" | "M" as rule; q; a; b; r; taker; offset] ->
    Handover (rule = "M", index (number q), integer (number a), integer (number b), index (number r), buffer taker, integer (number offset))
  | _ -> unreadable ("the line " ^ String.concat " " words)

(* The lines of a binary log from a place on, as the words of a text. *)
let unpack text start =
  let at = ref start in
  let byte () = if !at >= String.length text then unreadable "the log is cut off"; incr at; Char.code text.[!at - 1] in
  let packed () =
    let rec more shift =
      let got = byte () in
      if shift > 56 then unreadable "a number of 2^62 or more";
      (* The bits above are of the 63 that are there; the lowest one tells the sign. *)
      let low = if shift = 0 then (got land 127) lsr 1 else (got land 127) lsl (shift - 1) in
      let sign, rest = if got > 127 then more (shift + 7) else (0, 0) in
      ((if shift = 0 then got land 1 else sign), low + rest) in
    let sign, value = more 0 in
    if sign = 0 then value else if value = max_int then unreadable "a number of 2^62 or more" else - value - 1 in
  let word () = string_of_int (packed ()) in
  let rec times n make = if n <= 0 then [] else let first = make () in first :: times (n - 1) make in
  let rec lines found =
    let letter = Char.chr (byte ()) in
    let least = match letter with
      | 'v' | 'D' | 'R' -> 4 | 'q' | 'c' | 'd' | 'e' -> 0 | 'E' | 'O' | 'C' | 'T' -> 1 | 'P' -> 2 | 'K' | 'H' | 'G' -> 3 | 'W' | 'M' -> 6
      | _ -> unreadable "an unknown rule" in
    if letter = 'e' then
      if !at < String.length text then unreadable "something behind the end" else List.rev (["end"] :: found)
    else begin
      let count = if String.contains "qcdHG" letter then packed () else least in
      if count < least then unreadable "too few numbers";
      let one () = if letter = 'q' then let b = word () in let f = word () in b ^ ":" ^ f ^ ":" ^ word () else word () in
      lines ((String.make 1 letter :: times count one) :: found)
    end in
  lines []

(* A step is only looked at where its proof has met no contradiction yet. One that makes no sense therefore becomes a step that is
   refused then: the use of a clause that there is not. *)
let read_line size words =
  if List.mem "" words then unreadable "an empty word";
  try parse_line size words with
  | (Unreadable _ | Refused _) when List.mem (List.hd words) ["E"; "O"; "C"; "P"; "T"; "K"; "R"; "D"; "H"; "G"; "W"; "M"] -> Use (positive max_int)

let head name line = match String.split_on_char ' ' line with
  | [word; value] when word = name -> value
  | _ -> unreadable ("found '" ^ line ^ "', expected " ^ name)

let check_log buffers pairs text =
  let sizes = Array.of_list (List.map (fun b -> b.bytes) buffers) in
  let size b = if b < 0 || b >= Array.length sizes then Stdlib.raise (Refused "no such buffer") else sizes.(b) in
  let length = String.length text in
  let is_binary = String.length text > 17 && String.sub text 0 17 = "memplan-proof 1b\n" in
  (* Where the lines behind the first five begin. *)
  let rec behind at left = if left = 0 then at else match String.index_from_opt text at '\n' with
    | Some i -> behind (i + 1) (left - 1) | None -> unreadable "the log is cut off" in
  let start = behind 0 5 in
  if not is_binary && text.[length - 1] <> '\n' then unreadable "the log is cut off";
  let words = String.split_on_char ' ' in
  let texts from until = List.rev (List.rev_map words (String.split_on_char '\n' (String.sub text from (until - from)))) in
  let lines = if is_binary then unpack text start else if start < length then texts start (length - 1) else [] in
  match String.split_on_char '\n' (String.sub text 0 (start - 1)) with
  | [format; name; capacity; unit; used] ->
    if head "memplan-proof" format <> (if is_binary then "1b" else "1") then unreadable "another version";
    if head "problem" name <> fingerprint buffers then unreadable "a log of another problem";
    let capacity = number (head "capacity" capacity) and unit = number (head "unit" unit) in
    if capacity < 0 || unit < 1 then unreadable "the capacity or the unit";
    let used = match String.split_on_char ' ' used with
      | ["use"; "all"] -> List.init (Array.length sizes) (fun b -> positive (b + 1))
      | "use" :: words -> List.map buffer words
      | _ -> unreadable "expected use" in
    let set = List.fold_left (fun set b -> M.add b () set) M.empty used in
    let rec cut found = function
      | [["end"]] -> List.rev found
      | ["end"] :: _ -> unreadable "something behind the end"
      | line :: rest -> cut (read_line size line :: found) rest
      | [] -> unreadable "no end" in
    (capacity, check (make_problem buffers pairs) (integer capacity) (integer unit) set (cut [] lines))
  | _ -> unreadable "the log is cut off"

let () =
  match Sys.argv with
  | [| _; problem; log |] ->
    (try
       let buffers, pairs =
         try
           let text = read_file problem in
           let found = if Filename.check_suffix problem ".json" then read_json text else read_csv text in
           if fst found = [] then unreadable "no buffer" else found
         with Unreadable text -> prerr_endline (problem ^ ": " ^ text); exit 3 in
       let capacity, accepted = check_log buffers pairs (read_file log) in
       if not accepted then Stdlib.raise (Refused "some line does not follow, or no clause without literals was proved");
       Printf.printf "refuted %d\n" capacity
     with
     | Unreadable text -> prerr_endline (log ^ ": " ^ text); exit 3
     | Stack_overflow | Out_of_memory -> prerr_endline (log ^ ": no memory is left"); exit 5
     | Refused text -> print_endline "refused"; prerr_endline (log ^ ": " ^ text); exit 1)
  | _ -> prerr_endline "Usage: memplan-check-verified PROBLEM LOG"; exit 2
