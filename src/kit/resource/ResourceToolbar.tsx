import AddRounded from '@mui/icons-material/AddRounded'
import CheckRounded from '@mui/icons-material/CheckRounded'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import IconButton from '@mui/material/IconButton'
import { useListFilterContext } from 'react-admin'

import { FilterChips } from './FilterChips.tsx'
import { ListButtons } from './ListButtons.tsx'
import type { AnyTable, Tool } from './resource.ts'
import { ListSearch } from './ListSearch.tsx'
import { SortMenu } from './SortMenu.tsx'
import type { ColumnChoice } from './useColumnChoice.ts'
import { useText } from '../useText.ts'
import { ViewMenu } from './ViewMenu.tsx'

interface Props {
  definition: AnyTable
  choice: ColumnChoice
  phone: boolean
  /** The list has no rows: hides search, sorting and view. */
  isEmpty: boolean
  /** Absent when this person cannot create, or is asked to elsewhere on the page. */
  onCreate?: (() => void) | undefined
  /** Somebody is about to press it. */
  onMayCreate: () => void
  /** The resource's tools that this person may open. */
  tools: readonly Tool<any>[]
  onTool: (tool: Tool<any>) => void
}

const ROW = { display: 'flex', alignItems: 'center', gap: 1 } as const
/** Above the list: search, toggles, how it looks, refresh, and the button that creates. */
export function ResourceToolbar(props: Props) {
  const { definition, choice, phone, isEmpty, onCreate, onMayCreate } = props
  const text = useText()
  const { filterValues, setFilters } = useListFilterContext()
  const search = definition.search && !isEmpty && (
    <Box sx={phone ? { flex: 1 } : { flex: '0 1 320px' }}>
      <ListSearch label={text(definition.search)} />
    </Box>
  )
  const offered = definition.toggles?.filter(({ unless }) => !unless || !filterValues[unless])
  const toggles = offered?.map(({ id, label }) => {
    const on = filterValues[id] === true
    return (
      <Button
        key={id}
        size="small"
        variant="outlined"
        color={on ? 'primary' : 'inherit'}
        aria-pressed={on}
        startIcon={on ? <CheckRounded /> : undefined}
        onClick={() => setFilters({ ...filterValues, [id]: !on })}
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
  const filters = definition.filters && <FilterChips filters={definition.filters} />
  const tools = props.tools.map((tool) =>
    phone || tool.isIcon ? (
      <IconButton
        key={tool.label}
        title={text(tool.label)}
        aria-label={text(tool.label)}
        onClick={() => props.onTool(tool)}
        sx={{ color: 'text.secondary' }}
      >
        <tool.icon />
      </IconButton>
    ) : (
      <Button
        key={tool.label}
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
          {!isEmpty && <SortMenu columns={definition.columns} />}
          <ListButtons definition={definition} isEmpty={isEmpty} />
        </Box>
        <Box sx={{ ...ROW, flexWrap: 'wrap' }}>
          {filters}
          {toggles}
          <Box sx={{ ...ROW, ml: 'auto' }}>
            {tools}
            {create}
          </Box>
        </Box>
      </Box>
    )
  return (
    <Box sx={{ ...ROW, flexWrap: 'wrap' }}>
      {search}
      {filters}
      {toggles}
      {space}
      {!isEmpty && <ViewMenu definition={definition} choice={choice} />}
      <ListButtons definition={definition} isEmpty={isEmpty} />
      {tools}
      {create}
    </Box>
  )
}
