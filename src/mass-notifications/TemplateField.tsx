import Autocomplete from '@mui/material/Autocomplete'
import Box from '@mui/material/Box'
import TextField from '@mui/material/TextField'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useSearchParams } from 'react-router-dom'

import type { NotificationTemplate } from '#contract/notification-templates/schema.ts'
import { ConfirmDialog } from '#src/kit/feedback/ConfirmDialog.tsx'
import { useText } from '#src/kit/useText.ts'
import { LevelChip } from './LevelChip.tsx'

import { useTemplates } from './queries.ts'

/** Maximum height of the list in pixels (administration §9). */
const LIST_HEIGHT = 194
const NONE: readonly NotificationTemplate[] = []

interface Props {
  value: NotificationTemplate | null
  /** Null removes the template. */
  onChange: (template: NotificationTemplate | null) => void
  /** True if the template would overwrite input. */
  overwrites: () => boolean
}

/** Chooses a template. Confirms overwriting input (administration §4 "Send screen"). */
export function TemplateField({ value, onChange, overwrites }: Props) {
  const text = useText()
  const { data, error, isPending, refetch } = useTemplates()
  const [asked, setAsked] = useState<NotificationTemplate | null>(null)
  const [search] = useSearchParams()
  const linked = useRef(search.get('template'))
  /** Fills in the template of the address once, unless something is typed already. */
  const fillIn = useEffectEvent((templates: readonly NotificationTemplate[]) => {
    const template = templates.find(({ id }) => id === linked.current)
    linked.current = null
    if (template && !value && !overwrites()) onChange(template)
  })
  useEffect(() => {
    if (data && linked.current !== null) fillIn(data)
  }, [data])
  const failed = !data && error !== null
  return (
    <>
      <Autocomplete
        size="small"
        options={data ?? NONE}
        loading={isPending}
        loadingText={text('kit.loading')}
        value={value}
        onOpen={() => {
          if (failed) void refetch()
        }}
        onChange={(_, template) => {
          if (template && overwrites()) setAsked(template)
          else onChange(template)
        }}
        getOptionLabel={({ title }) => title}
        getOptionKey={({ id }) => id}
        isOptionEqualToValue={(a, b) => a.id === b.id}
        autoHighlight
        noOptionsText={text('massNotifications.noTemplate')}
        clearText={text('massNotifications.clearTemplate')}
        openText={text('people.openList')}
        closeText={text('people.closeList')}
        // Shows the clear button without hover.
        sx={{ '& .MuiAutocomplete-clearIndicator': { visibility: 'visible' } }}
        slotProps={{ listbox: { sx: { boxSizing: 'border-box', maxHeight: LIST_HEIGHT } } }}
        renderOption={({ key, ...props }, { title, level }) => (
          <Box component="li" key={key} {...props} sx={{ gap: 1 }}>
            <Box component="span" dir="auto" sx={{ flex: 1, minWidth: 0, overflowWrap: 'anywhere' }}>
              {title}
            </Box>
            <LevelChip level={level} />
          </Box>
        )}
        renderInput={(params) => (
          <TextField
            {...params}
            label={text('massNotifications.template')}
            placeholder={text('massNotifications.filterTemplates')}
            error={failed}
            helperText={failed && text('massNotifications.templatesNotLoaded')}
          />
        )}
      />
      <ConfirmDialog
        open={asked !== null}
        title={text('massNotifications.overwriteTitle')}
        text={text('massNotifications.overwrite')}
        submitLabel={text('massNotifications.apply')}
        onSubmit={() => onChange(asked)}
        onClose={() => setAsked(null)}
      />
    </>
  )
}
