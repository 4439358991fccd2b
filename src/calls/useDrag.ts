import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react'

/** Pixels between the window and the edges of the page, and moved by one arrow key. */
const MARGIN = 16
const STEP = 24
/** Pixels of movement below which a press is a click. */
const SLACK = 4
/** Start position, above the chat's composer. */
const FIRST = { right: MARGIN, bottom: 96 }

interface Spot {
  readonly right: number
  readonly bottom: number
}
const ARROWS: Readonly<Record<string, readonly [x: number, y: number]>> = {
  ArrowLeft: [-STEP, 0],
  ArrowRight: [STEP, 0],
  ArrowUp: [0, -STEP],
  ArrowDown: [0, STEP],
}
const clamp = (value: number, most: number) => Math.min(Math.max(value, MARGIN), Math.max(MARGIN, most))

/**
 * Position of a floating window, and the handlers of its handle: dragging, arrow keys, and a click that moves
 * it to the next corner.
 */
export function useDrag(element: () => HTMLElement | null) {
  const [spot, setSpot] = useState<Spot>(FIRST)
  const hasMoved = useRef(false)
  const within = ({ right, bottom }: Spot): Spot => {
    const { width, height } = element()?.getBoundingClientRect() ?? { width: 0, height: 0 }
    return {
      right: clamp(right, window.innerWidth - width - MARGIN),
      bottom: clamp(bottom, window.innerHeight - height - MARGIN),
    }
  }
  const toNextCorner = () => {
    // Browsers also fire `click` at the end of a drag.
    if (hasMoved.current) return
    const isRight = spot.right < window.innerWidth / 4
    const isLow = spot.bottom <= FIRST.bottom
    // The corners follow anticlockwise from the bottom right.
    const far = within({ right: Infinity, bottom: Infinity })
    if (isRight && isLow) setSpot({ right: MARGIN, bottom: far.bottom })
    else if (isRight) setSpot(far)
    else if (!isLow) setSpot({ right: far.right, bottom: MARGIN })
    else setSpot(FIRST)
  }
  const onPointerDown = (down: PointerEvent<HTMLElement>) => {
    if (down.button !== 0) return
    hasMoved.current = false
    const from = { x: down.clientX, y: down.clientY, ...spot }
    const handle = down.currentTarget
    handle.setPointerCapture(down.pointerId)
    const move = ({ clientX, clientY }: globalThis.PointerEvent) => {
      hasMoved.current ||= Math.hypot(clientX - from.x, clientY - from.y) > SLACK
      if (hasMoved.current)
        setSpot(within({ right: from.right - (clientX - from.x), bottom: from.bottom - (clientY - from.y) }))
    }
    const up = () => {
      handle.removeEventListener('pointermove', move)
      handle.removeEventListener('pointerup', up)
      handle.removeEventListener('pointercancel', up)
    }
    handle.addEventListener('pointermove', move)
    handle.addEventListener('pointerup', up)
    handle.addEventListener('pointercancel', up)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const arrow = ARROWS[event.key]
    if (!arrow) return
    event.preventDefault()
    hasMoved.current = false
    setSpot(within({ right: spot.right - arrow[0], bottom: spot.bottom - arrow[1] }))
  }
  return { spot, toNextCorner, onPointerDown, onKeyDown }
}
