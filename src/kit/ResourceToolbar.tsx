import AddRounded from '@mui/icons-material/AddRounded'
import CheckRounded from '@mui/icons-material/CheckRounded'
import DownloadRounded from '@mui/icons-material/DownloadRounded'
import RefreshRounded from '@mui/icons-material/RefreshRounded'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import IconButton from '@mui/material/IconButton'

import type { AnyTable, Tool } from './resource.ts'
import { SearchBox } from './SearchBox.tsx'
import { SortMenu } from './SortMenu.tsx'
import type { ColumnChoice } from './useColumnChoice.ts'
import type { ResourceList } from './useResourceList.ts'
import { useCsvExport } from './useCsvExport.ts'
import { useText } from './useText.ts'
import { ViewMenu } from './ViewMenu.tsx'

interface Props {
  definition: AnyTable
  list: ResourceList
  choice: ColumnChoice
  phone: boolean
  /** There is nothing to search in or to look at. */
  isEmpty: boolean
  /** Absent when this person cannot create, or is asked to elsewhere on the page. */
  onCreate?: (() => void) | undefined
  /** Somebody is about to press it. */
  onMayCreate: () => void
  /** What this person may open. */
  tools: readonly Tool<any>[]
  onTool: (tool: Tool<any>) => void
}

const ROW = { display: 'flex', alignItems: 'center', gap: 1 } as const
const turning = {
  '@keyframes turn': { to: { rotate: '360deg' } },
  animation: 'turn 800ms linear infinite',
}

/** Above the list: search, toggles, how it looks, refresh, and the button that creates. */
export function ResourceToolbar(props: Props) {
  const { definition, list, choice, phone, isEmpty, onCreate, onMayCreate } = props
  const text = useText()
  const { state, change } = list
  const { busy, run } = useCsvExport(definition, list)
  const search = definition.search && !isEmpty && (
    <Box sx={phone ? { flex: 1 } : { flex: '0 1 320px' }}>
      <SearchBox
        label={text(definition.search)}
        value={state.search}
        onSearch={(words) => change({ search: words })}
      />
    </Box>
  )
  const toggles = definition.toggles?.map(({ id, label }) => {
    const on = state.on.includes(id)
    return (
      <Button
        key={id}
        size="small"
        variant="outlined"
        color={on ? 'primary' : 'inherit'}
        aria-pressed={on}
        startIcon={on ? <CheckRounded /> : undefined}
        onClick={() => change({ on: on ? state.on.filter((other) => other !== id) : [...state.on, id] })}
        sx={(theme) => ({
          flex: 'none',
          minHeight: 32,
          fontWeight: 400,
          ...(on
            ? { bgcolor: `color-mix(in srgb, ${theme.vars.palette.primary.main} 10%, transparent)` }
            : { borderColor: 'divider' }),
        })}
      >
        {text(label)}
      </Button>
    )
  })
  const refresh = (
    <IconButton
      title={text('grid.refresh')}
      aria-label={text('grid.refresh')}
      onClick={() => void list.refresh()}
      sx={{ color: 'text.secondary' }}
    >
      <RefreshRounded sx={list.isFetching ? turning : {}} />
    </IconButton>
  )
  const exporter = !isEmpty && (
    <IconButton
      title={text('grid.export')}
      aria-label={text('grid.export')}
      loading={busy}
      onClick={() => void run()}
      sx={{ color: 'text.secondary' }}
    >
      <DownloadRounded />
    </IconButton>
  )
  const tools = props.tools.map((tool) =>
    phone ? (
      <IconButton
        key={tool.call}
        title={text(tool.label)}
        aria-label={text(tool.label)}
        onClick={() => props.onTool(tool)}
        sx={{ color: 'text.secondary' }}
      >
        <tool.icon />
      </IconButton>
    ) : (
      <Button
        key={tool.call}
        variant="outlined"
        startIcon={<tool.icon />}
        onClick={() => props.onTool(tool)}
        sx={{ flex: 'none' }}
      >
        {text(tool.label)}
      </Button>
    ),
  )
  const create = onCreate && definition.create && (
    <Button
      variant="contained"
      startIcon={<AddRounded />}
      onPointerEnter={onMayCreate}
      onFocus={onMayCreate}
      onClick={onCreate}
      sx={{ flex: 'none' }}
    >
      {text(definition.create.label)}
    </Button>
  )
  const space = <Box sx={{ flex: 1 }} />
  if (phone)
    return (
      <Box sx={{ display: 'grid', gap: 1 }}>
        <Box sx={ROW}>
          {search || space}
          {!isEmpty && (
            <SortMenu definition={definition} sort={state.sort} onSort={(sort) => change({ sort })} />
          )}
          {exporter}
          {refresh}
        </Box>
        <Box sx={ROW}>
          {toggles}
          {space}
          {tools}
          {create}
        </Box>
      </Box>
    )
  return (
    <Box sx={ROW}>
      {search}
      {toggles}
      {space}
      {!isEmpty && <ViewMenu definition={definition} choice={choice} />}
      {exporter}
      {refresh}
      {tools}
      {create}
    </Box>
  )
}
