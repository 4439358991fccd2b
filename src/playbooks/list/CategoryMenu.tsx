import MoreVertRounded from '@mui/icons-material/MoreVertRounded'
import IconButton from '@mui/material/IconButton'
import Menu from '@mui/material/Menu'
import MenuItem from '@mui/material/MenuItem'
import { useState } from 'react'

import type { PlaybookCategory } from '#contract/playbook-categories/schema.ts'
import { ConfirmDialog } from '#src/kit/feedback/ConfirmDialog.tsx'
import { useUndoable } from '#src/kit/feedback/useUndoable.tsx'
import { useText } from '#src/kit/useText.ts'

import { useRemoveCategory, useRestoreCategory } from '../queries.ts'

interface Props {
  category: PlaybookCategory
  /** Absent once the limit of playbooks is reached. */
  onCreate: (() => void) | undefined
  onEdit: () => void
}

/** Actions on a category: create a playbook in it, edit, delete (operations §2). */
export function CategoryMenu({ category, onCreate, onEdit }: Props) {
  const text = useText()
  const notifyUndoable = useUndoable()
  const remove = useRemoveCategory()
  const restore = useRestoreCategory()
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  const [isAsked, setAsked] = useState(false)
  const { name } = category
  const label = text('playbooks.categoryActions', { name })
  const choose = (act: () => void) => () => {
    setAnchor(null)
    act()
  }
  return (
    <>
      <IconButton
        aria-label={label}
        title={label}
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        onClick={(event) => setAnchor(event.currentTarget)}
        sx={{ width: { xs: 44, md: 32 }, height: { xs: 44, md: 32 } }}
      >
        <MoreVertRounded fontSize="small" />
      </IconButton>
      <Menu
        open={anchor !== null}
        anchorEl={anchor}
        onClose={() => setAnchor(null)}
        slotProps={{ list: { 'aria-label': label } }}
      >
        <MenuItem disabled={!onCreate} onClick={choose(() => onCreate?.())}>
          {text('playbooks.createIn')}
        </MenuItem>
        <MenuItem onClick={choose(onEdit)}>{text('playbooks.editCategory')}</MenuItem>
        <MenuItem onClick={choose(() => setAsked(true))} sx={{ color: 'error.main' }}>
          {text('playbooks.deleteCategory')}
        </MenuItem>
      </Menu>
      <ConfirmDialog
        open={isAsked}
        title={text('playbooks.deleteCategoryTitle')}
        text={text('playbooks.deleteCategoryText', { name })}
        submitLabel={text('playbooks.delete')}
        destructive
        onSubmit={async () => {
          await remove.mutateAsync(category.id)
          notifyUndoable(text('playbooks.categoryDeleted', { name }), () => restore(category.id))
        }}
        onClose={() => setAsked(false)}
      />
    </>
  )
}
