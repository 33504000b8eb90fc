#!/bin/sh
# thumbnails.sh FOLDER: draws the small figures of docs/tables.md, FOLDER/NAME.png, of results made for them. Takes a
# minute; needs memplan in the PATH, and gnuplot.
set -eu
folder=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

quiet() {
    "$@" >"$work/log" 2>&1 || {
        cat "$work/log" >&2
        exit 1
    }
}

# draw FIGURE DATABASE ARGUMENT...: at 0.6 of its size.
draw() {
    figure=$1
    database=$work/$2
    shift 2
    memplan plot "$figure" "$@" --db "$database" -o "$work/$figure.gp"
    sed 's/^\(if (format eq "png") .* size \)width,height\(.*\)/\1 0.6*width,0.6*height \2 fontscale 0.6/' "$work/$figure.gp" >"$work/small.gp"
    gnuplot -e "format='png'" "$work/small.gp" >"$folder/$figure.png"
}

quiet memplan bench --suite minimalloc,quick --policy flat --time-limit 0.5 --db "$work/all.db" --run all \
    --planners naive,large_first,short_first,xla_packing_search,idealloc,omni_tabu,descent,exact,best
quiet memplan bench --suite luna --time-limit 0.5 --db "$work/luna.db" --planners large_first,best
quiet memplan bench --suite zoo-streams -p best --time-limit 1 --db "$work/streams.db"
for buffers in 100 300 1000 3000 10000; do
    quiet memplan bench "generate:layered?buffers=$buffers&live=50" --db "$work/sizes.db" --run sizes \
        --planners large_first,xla_packing_search,idealloc,nnvm
done
quiet memplan bench --suite orders --orders stored,reverse_post,xla_default,inductor,glow,beam,exact_order --time-limit 3 \
    --planners large_first --db "$work/orders.db" --run orders
for run in monday tuesday wednesday; do
    quiet memplan bench --suite quick --policy flat --planners large_first,omni_tabu,exact --time-limit 1 \
        --db "$work/runs.db" --run $run
done
quiet memplan reproduce luna-memory luna-control-flow worked patent dma-front dma-orders sizes nnvm --time-limit 0.3 --out "$work/sources"
mv "$work/sources/reproduce.db" "$work/sources.db"
quiet memplan bench 'generate:gap?buffers=12&seed=1' 'generate:gap?buffers=12&seed=2' 'generate:gap?buffers=16&seed=1' \
    'generate:gap?buffers=16&seed=2' 'generate:gap?buffers=20&seed=1' 'generate:gap?buffers=20&seed=2' --time-limit 2 --db "$work/programs.db" \
    --planners 'ilp_cliques?load=0&ascend=0,ilp_pairs?load=0,ilp_hull?load=0&ascend=0,ilp_order?load=0&ascend=0,ilp_positions?load=0&ascend=0,ilp_benders'
for percent in 20 35 50 65 80; do
    quiet memplan bench "memories:two?percent=$percent:minimalloc/A" --time-limit 1 --db "$work/capacities.db" --run capacities \
        --planners best,best_density,lp_rounding,executorch_banked
done

for figure in profile quality gaps wins ranks cactus; do
    draw $figure all.db
done
draw peaks all.db -s minimalloc -p large_first,exact
draw scatter all.db large_first,best
draw anytime all.db -i minimalloc/D -p exact,omni_tabu,best
draw layout luna.db -i luna/denoise -q recursive -p best
draw policies luna.db
draw proofs programs.db
draw root-gaps programs.db
draw scaling sizes.db
draw memories capacities.db
draw streams streams.db
draw orders-steps orders.db -i 'wired/nasnet_cifar*'
draw orders-profile orders.db
draw orders-times orders.db
for figure in runs-bytes runs-nodes runs-times; do
    draw $figure runs.db
done
for figure in bars-fusion-detect bars-denoise figure6a figure6b patent-figure5 dma-front dma-orders sizes nnvm figure1 figure2; do
    draw $figure sources.db
done
