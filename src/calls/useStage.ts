import { useState } from 'react'

import type { Tile } from '#providers/calls/engine.ts'

const idOf = ({ participant }: Tile): string => participant.participantId

/** The order of tiles: as before, newcomers last, and whoever speaks on the first page. */
function nextOrder(before: readonly string[], tiles: readonly Tile[], perPage: number): readonly string[] {
  const ids = tiles.map(idOf)
  const order = [...before.filter((id) => ids.includes(id)), ...ids.filter((id) => !before.includes(id))]
  for (const tile of tiles) {
    const at = order.indexOf(idOf(tile))
    if (tile.isSpeaking && at >= perPage) {
      order.splice(at, 1)
      order.splice(perPage - 1, 0, idOf(tile))
    }
  }
  return order
}

/**
 * A page of the tiles, all of them on one page where they fit. Somebody who speaks moves to the end of the first page,
 * and stays there until others speak.
 */
export function usePagedTiles(tiles: readonly Tile[], perPage: number) {
  const [known, setKnown] = useState<readonly string[]>([])
  const [wanted, setPage] = useState(1)
  const order = nextOrder(known, tiles, perPage)
  if (order.join() !== known.join()) setKnown(order)
  const pages = Math.max(1, Math.ceil(tiles.length / perPage))
  const page = Math.min(wanted, pages)
  const byId = new Map(tiles.map((tile) => [idOf(tile), tile]))
  const visible = order.slice((page - 1) * perPage, page * perPage)
  return { visible: visible.flatMap((id) => byId.get(id) ?? []), page, pages, setPage }
}

/** The tile of the one who speaks, or spoke last; at first that of the first other participant. */
export function useSpeaker(tiles: readonly Tile[]): Tile | undefined {
  const [id, setId] = useState<string>()
  const others = tiles.filter(({ isMe }) => !isMe)
  const last = others.find((tile) => idOf(tile) === id)
  const speaking = others.find(({ isSpeaking }) => isSpeaking)
  // While two speak at once, the first one stays.
  const next = last?.isSpeaking ? last : (speaking ?? last ?? others[0] ?? tiles[0])
  if (next && idOf(next) !== id) setId(idOf(next))
  return next
}
