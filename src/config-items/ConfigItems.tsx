import SearchRounded from '@mui/icons-material/SearchRounded'
import Box from '@mui/material/Box'
import InputAdornment from '@mui/material/InputAdornment'
import Paper from '@mui/material/Paper'
import TextField from '@mui/material/TextField'
import Typography from '@mui/material/Typography'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNotify } from 'react-admin'
import { type ReactNode, useId, useState } from 'react'
import { useSearchParams } from 'react-router-dom'

import type { ConfigItem } from '#contract/config-items/schema.ts'
import { hasEachWord } from '#src/kit/browser/hasEachWord.ts'
import { Awaiting } from '#src/kit/feedback/Awaiting.tsx'
import { EmptyState } from '#src/kit/feedback/EmptyState.tsx'
import { useLeaveGuard } from '#src/kit/form/LeaveGuard.tsx'
import { useText } from '#src/kit/useText.ts'

import { configTitle } from './configTitle.ts'
import { ConfigItemRow, type RowActions } from './ConfigItemRow.tsx'

interface Props extends Pick<RowActions, 'canChange' | 'hasOwn' | 'emptyInherits' | 'showsModifyAccess'> {
  queryKey: readonly string[]
  list: (signal: AbortSignal) => Promise<ConfigItem[]>
  save: (databaseKey: string, valueJson: string) => Promise<ConfigItem>
  revert: (databaseKey: string) => Promise<ConfigItem>
  /** Controls beside the search. */
  tools?: ReactNode
}

const groupsOf = (items: readonly ConfigItem[]): [group: string, items: ConfigItem[]][] => {
  const groups = new Map<string, ConfigItem[]>()
  for (const item of items) groups.set(item.groupTag, [...(groups.get(item.groupTag) ?? []), item])
  return [...groups]
}

/** The configuration items of one scope, by group, each with an editor of its type. */
export function ConfigItems({ queryKey, list, save, revert, tools, ...rules }: Props) {
  const text = useText()
  const notify = useNotify()
  const queryClient = useQueryClient()
  const searchId = useId()
  const [params] = useSearchParams()
  const [typed, setTyped] = useState(params.get('q') ?? '')
  const [editing, setEditing] = useState<ReadonlySet<string>>(new Set())
  const query = useQuery({ queryKey, queryFn: ({ signal }) => list(signal) })
  const { guard } = useLeaveGuard(editing.size > 0)
  const { data: items } = query
  const take = (item: ConfigItem) => {
    queryClient.setQueryData<ConfigItem[]>(queryKey, (known) =>
      known?.map((each) => (each.databaseKey === item.databaseKey ? item : each)),
    )
  }
  const actions: RowActions = {
    ...rules,
    save: async ({ databaseKey }, valueJson) => {
      take(await save(databaseKey, valueJson))
      notify(text('configItems.saved', { key: databaseKey }), { type: 'success' })
    },
    revert: async ({ databaseKey }) => {
      take(await revert(databaseKey))
      notify(text('configItems.reverted', { key: databaseKey }), { type: 'success' })
    },
  }
  const note = (key: string) => (isEditing: boolean) =>
    setEditing((before) => {
      const next = new Set(before)
      if (isEditing) next.add(key)
      else next.delete(key)
      return next
    })
  // Items with an open editor are never filtered out.
  const matches = ({ databaseKey, groupTag, description }: ConfigItem) =>
    editing.has(databaseKey) ||
    hasEachWord(`${databaseKey} ${configTitle(databaseKey)} ${groupTag} ${description}`, typed.trim())
  const found = items?.filter(matches) ?? []
  return (
    <Box sx={{ p: { xs: 2, md: 3 }, maxWidth: 1040, mx: 'auto' }}>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 1.5, mb: 2 }}>
        <TextField
          id={searchId}
          type="search"
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
          placeholder={text('configItems.search')}
          slotProps={{
            htmlInput: { 'aria-label': text('configItems.search') },
            input: {
              startAdornment: (
                <InputAdornment position="start">
                  <SearchRounded />
                </InputAdornment>
              ),
            },
          }}
          sx={{ flex: '1 1 260px', maxWidth: 400, bgcolor: 'background.paper' }}
        />
        {tools}
      </Box>
      {!items && <Awaiting queries={[query]} height={480} />}
      {items && found.length === 0 && <EmptyState text={text('configItems.nothing')} />}
      {groupsOf(found).map(([group, members]) => (
        <Box component="section" key={group} aria-label={group} sx={{ mb: 3 }}>
          <Typography variant="h2" sx={{ fontSize: '1rem', mb: 1 }}>
            {group}
          </Typography>
          <Paper variant="outlined" component="ul" sx={{ listStyle: 'none', m: 0, p: 0 }}>
            {members.map((item) => (
              <ConfigItemRow
                key={item.databaseKey}
                item={item}
                {...actions}
                onEditing={note(item.databaseKey)}
              />
            ))}
          </Paper>
        </Box>
      ))}
      {guard}
    </Box>
  )
}
