import MoreVertRounded from '@mui/icons-material/MoreVertRounded'
import IconButton from '@mui/material/IconButton'
import Menu from '@mui/material/Menu'
import MenuItem from '@mui/material/MenuItem'
import { useId, useState } from 'react'

import type { TimelineEntry } from '#contract/incident-timeline/schema.ts'
import { cut } from '#contract/kit/cut.ts'
import { timeline as words } from '#providers/i18n/timeline.ts'

import { EditEntry, EntryHistory, RemoveEntry } from './EntryDialogs.tsx'

const DIALOGS = { edit: EditEntry, remove: RemoveEntry, history: EntryHistory } as const
type Act = keyof typeof DIALOGS
/** Characters of an entry in the name of its menu. */
const NAME_MAX = 60

/** Acts on an entry by hand. */
export function EntryMenu({ entry }: { entry: TimelineEntry }) {
  const menuId = useId()
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  const [act, setAct] = useState<Act | null>(null)
  const acts: readonly Act[] = entry.canEdit ? ['edit', 'history', 'remove'] : ['history']
  const Opened = act && DIALOGS[act]
  return (
    <>
      <IconButton
        size="small"
        aria-label={words.actsOf(cut(entry.text, NAME_MAX))}
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        aria-controls={anchor ? menuId : undefined}
        onClick={(event) => setAnchor(event.currentTarget)}
        sx={{ width: { xs: 44, sm: 32 }, height: { xs: 44, sm: 32 }, my: { xs: -1, sm: -0.5 } }}
      >
        <MoreVertRounded fontSize="small" />
      </IconButton>
      <Menu id={menuId} anchorEl={anchor} open={anchor !== null} onClose={() => setAnchor(null)}>
        {acts.map((one) => (
          <MenuItem
            key={one}
            onClick={() => {
              setAnchor(null)
              setAct(one)
            }}
          >
            {words[one]}
          </MenuItem>
        ))}
      </Menu>
      {Opened && <Opened entry={entry} onClose={() => setAct(null)} />}
    </>
  )
}
