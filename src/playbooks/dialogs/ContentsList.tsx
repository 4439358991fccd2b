import Box from '@mui/material/Box'
import { useVirtualizer } from '@tanstack/react-virtual'
import { memo, type ReactNode, useState } from 'react'

import { FormattedText } from '#src/kit/rich-text/FormattedText.tsx'

import { indentOf, sizeOf } from '../levelValues.ts'

/** Number of rows from which the list is virtualised. */
const LONG = 60
/** Estimated height in pixels of an unmeasured row. */
const ROW_ESTIMATE = 72
const ROWS = 4

interface Item {
  readonly type: 'TASK' | 'HEADING'
  readonly title: string
  readonly description: string
  readonly formattedDescription: string | null
  readonly level: number
}
interface RowProps<T> {
  item: T
  index: number
  renderAfter?: ((item: T, index: number) => ReactNode) | undefined
}

function RowOf<T extends Item>({ item, index, renderAfter }: RowProps<T>) {
  const isHeading = item.type === 'HEADING'
  return (
    <Box
      sx={{
        py: isHeading ? 1 : 0.75,
        pl: isHeading ? `${indentOf(item.level)}px` : 2,
        minWidth: 0,
      }}
    >
      <Box
        dir="auto"
        sx={{ overflowWrap: 'anywhere', ...(isHeading && { fontWeight: 600, fontSize: sizeOf(item.level) }) }}
      >
        {item.title}
      </Box>
      {item.description !== '' && (
        <Box sx={{ color: 'text.secondary', fontSize: '0.8125rem' }}>
          <FormattedText text={item.description} html={item.formattedDescription} rows={ROWS} />
        </Box>
      )}
      {renderAfter?.(item, index)}
    </Box>
  )
}
const Row = memo(RowOf) as unknown as typeof RowOf

interface Props<T> {
  label: string
  activities: readonly T[]
  /** Content below a heading or a task, such as its errors. */
  renderAfter?: (item: T, index: number) => ReactNode
}

function VirtualRows<T extends Item>({ label, activities, renderAfter }: Props<T>) {
  const [frame, setFrame] = useState<HTMLElement | null>(null)
  // oxlint-disable-next-line react/incompatible-library -- its rows are made together with what it returns
  const virtualizer = useVirtualizer({
    count: activities.length,
    getScrollElement: () => frame,
    estimateSize: () => ROW_ESTIMATE,
    overscan: 10,
    initialRect: { width: 600, height: 480 },
  })
  return (
    <Box
      ref={setFrame}
      tabIndex={0}
      role="region"
      aria-label={label}
      sx={{
        maxHeight: 480,
        overflowY: 'auto',
        border: 1,
        borderColor: 'divider',
        borderRadius: '6px',
        px: 2,
      }}
    >
      <Box
        component="ol"
        aria-label={label}
        sx={{ position: 'relative', m: 0, p: 0, listStyle: 'none', height: virtualizer.getTotalSize() }}
      >
        {virtualizer.getVirtualItems().map(({ key, index, start }) => (
          <li
            key={key}
            ref={virtualizer.measureElement}
            data-index={index}
            aria-setsize={activities.length}
            aria-posinset={index + 1}
            style={{ position: 'absolute', top: 0, width: '100%', transform: `translateY(${start}px)` }}
          >
            <Row item={activities[index]!} index={index} renderAfter={renderAfter} />
          </li>
        ))}
      </Box>
    </Box>
  )
}

/** Headings and tasks in order, read-only. A long list scrolls by itself. */
export function ContentsList<T extends Item>(props: Props<T>) {
  const { label, activities, renderAfter } = props
  if (activities.length >= LONG) return <VirtualRows {...props} />
  return (
    <Box component="ol" aria-label={label} sx={{ m: 0, p: 0, listStyle: 'none' }}>
      {activities.map((item, index) => (
        // Items have no ids yet, and the list is rebuilt with each change.
        // oxlint-disable-next-line react/no-array-index-key
        <li key={index}>
          <Row item={item} index={index} renderAfter={renderAfter} />
        </li>
      ))}
    </Box>
  )
}
