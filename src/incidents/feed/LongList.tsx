import Box from '@mui/material/Box'
import {
  defaultRangeExtractor,
  type Range,
  useWindowVirtualizer,
  type VirtualItem,
} from '@tanstack/react-virtual'
import {
  memo,
  type ReactNode,
  useCallback,
  useDeferredValue,
  useLayoutEffect,
  useMemo,
  useState,
} from 'react'

/** Number of rows from which a list is virtualised. */
const LONG = 60

interface Props<T> {
  label: string
  items: readonly T[]
  keyOf: (item: T) => string
  children: (item: T) => ReactNode
  /** Estimated height in pixels of an unmeasured row. */
  estimate: number
  gap: number
  /** Key of a row that stays mounted off-screen, because it holds unsaved input. */
  pinned?: string | null
}

/** The list's distance from the top of the document, updated as the content above it changes. */
function useTop(list: HTMLElement | null): number {
  const [top, setTop] = useState(0)
  useLayoutEffect(() => {
    if (!list) return undefined
    const measure = () => setTop(Math.round(list.getBoundingClientRect().top + window.scrollY))
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(document.body)
    if (list.parentElement) observer.observe(list.parentElement)
    return () => observer.disconnect()
  }, [list])
  return top
}

interface RowsProps<T> {
  items: readonly T[]
  shown: readonly VirtualItem[]
  measure: (row: HTMLElement | null) => void
  children: (item: T) => ReactNode
}
function RowsOf<T>({ items, shown, measure, children }: RowsProps<T>) {
  return shown.map(({ key, index }) => (
    <li
      key={key}
      ref={measure}
      data-index={index}
      aria-setsize={items.length}
      aria-posinset={index + 1}
      style={{ position: 'absolute', top: 0, left: 0, width: '100%' }}
    >
      {children(items[index]!)}
    </li>
  ))
}
const Rows = memo(RowsOf) as unknown as typeof RowsOf

function VirtualRows<T>({ label, items, keyOf, children, estimate, gap, pinned }: Props<T>) {
  const [list, setList] = useState<HTMLElement | null>(null)
  const held = pinned == null ? -1 : items.findIndex((item) => keyOf(item) === pinned)
  // oxlint-disable-next-line react/incompatible-library -- what it returns is handed on together with its items
  const virtualizer = useWindowVirtualizer<HTMLElement>({
    count: items.length,
    estimateSize: () => estimate,
    getItemKey: (index) => keyOf(items[index]!),
    scrollMargin: useTop(list),
    overscan: 10,
    gap,
    directDomUpdates: true,
    useFlushSync: false,
    rangeExtractor: (range: Range) => {
      const shown = defaultRangeExtractor(range)
      return held < 0 || shown.includes(held) ? shown : [...shown, held].sort((a, b) => a - b)
    },
  })
  const attach = useCallback(
    (element: HTMLElement | null) => {
      setList(element)
      virtualizer.containerRef(element)
    },
    [virtualizer],
  )
  const shown = virtualizer.getVirtualItems()
  const now = useMemo(() => ({ items, shown, children }), [items, shown, children])
  // Deferred, so that rendering rows never blocks scrolling.
  const soon = useDeferredValue(now)
  return (
    <Box
      component="ol"
      aria-label={label}
      ref={attach}
      sx={{ position: 'relative', m: 0, p: 0, listStyle: 'none' }}
    >
      <Rows {...soon} measure={virtualizer.measureElement} />
    </Box>
  )
}

/** A list that is virtualised above a length. It scrolls with the page. */
export function LongList<T>(props: Props<T>) {
  const long = props.items.length >= LONG
  const [virtual, setVirtual] = useState(long)
  // Switching modes remounts all rows, so it waits until no row is being edited.
  if (props.pinned == null && virtual !== long) setVirtual(long)
  if (virtual) return <VirtualRows {...props} />
  return (
    <Box
      component="ol"
      aria-label={props.label}
      sx={{ display: 'grid', gap: `${props.gap}px`, m: 0, p: 0, listStyle: 'none' }}
    >
      {props.items.map((item) => (
        <Box component="li" key={props.keyOf(item)} sx={{ minWidth: 0 }}>
          {props.children(item)}
        </Box>
      ))}
    </Box>
  )
}
