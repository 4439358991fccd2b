import ApartmentRounded from '@mui/icons-material/ApartmentRounded'
import CodeRounded from '@mui/icons-material/CodeRounded'
import EditRounded from '@mui/icons-material/EditRounded'
import LockRounded from '@mui/icons-material/LockRounded'
import PublicRounded from '@mui/icons-material/PublicRounded'
import ManageAccountsRounded from '@mui/icons-material/ManageAccountsRounded'
import StorageRounded from '@mui/icons-material/StorageRounded'
import VpnKeyRounded from '@mui/icons-material/VpnKeyRounded'
import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Chip from '@mui/material/Chip'
import Link from '@mui/material/Link'
import Tooltip from '@mui/material/Tooltip'
import Typography from '@mui/material/Typography'
import { Suspense, useId, useState } from 'react'

import type { ConfigKey } from '#contract/config/catalogue.ts'
import { readConfigValue } from '#contract/config/rules.ts'
import type { ConfigItem } from '#contract/config-items/schema.ts'
import { messageOf } from '#providers/problem.ts'
import { lazy } from '#src/kit/browser/lazy.ts'
import { StatusChip } from '#src/kit/layout/StatusChip.tsx'
import { Time } from '#src/kit/time/Time.tsx'
import { useText } from '#src/kit/useText.ts'

import { ConfigValueInput } from './ConfigValueInput.tsx'
import { declarationOf, type EditedValue, originOf, valueInWords } from './configValues.ts'
import { configTitle } from './configTitle.ts'

const DifferingDialog = lazy(async () => ({
  default: (await import('./DifferingDialog.tsx')).DifferingDialog,
}))

const VISIBILITY = { BACKEND_ONLY: StorageRounded, FRONTEND_WITH_AUTH: VpnKeyRounded, PUBLIC: PublicRounded }
const MODIFY_ACCESS = {
  DEVELOPMENT_TEAM_ONLY: CodeRounded,
  ENVIRONMENT_ADMIN: ManageAccountsRounded,
  ORGANIZATION_ADMIN: ApartmentRounded,
}

export interface RowActions {
  /** Saves a value as JSON text; throws a refusal. */
  readonly save: (item: ConfigItem, valueJson: string) => Promise<void>
  /** Restores the inherited value. */
  readonly revert: (item: ConfigItem) => Promise<void>
  readonly canChange: (item: ConfigItem) => boolean
  /** True if the item has a value of its own in this scope. */
  readonly hasOwn: (item: ConfigItem) => boolean
  /** True if an empty text stands for the inherited value. */
  readonly emptyInherits: boolean
  /** True if items show who may change them; false where everybody who sees them may. */
  readonly showsModifyAccess: boolean
}

const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)

interface Props extends RowActions {
  item: ConfigItem
  onEditing: (isEditing: boolean) => void
}

function Editor({ item, save, revert, hasOwn, emptyInherits, onDone }: Props & { onDone: () => void }) {
  const text = useText()
  const id = useId()
  const [value, setValue] = useState<EditedValue>(item.isSecret ? null : item.currentValue)
  const [problem, setProblem] = useState<string>()
  const [busy, setBusy] = useState<'save' | 'revert'>()
  const [opened] = useState(item.currentValue)
  const isContested = !busy && !isSame(item.currentValue, opened) && !isSame(item.currentValue, value)
  const run = async (what: 'save' | 'revert', act: () => Promise<void>) => {
    setBusy(what)
    setProblem(undefined)
    try {
      await act()
      onDone()
    } catch (error) {
      setProblem(messageOf(error, text('configItems.failed')))
    } finally {
      setBusy(undefined)
    }
  }
  const submit = () => {
    const valueJson = value === '' && emptyInherits ? 'null' : JSON.stringify(value)
    const read = readConfigValue(item.databaseKey as ConfigKey, valueJson)
    if ('problem' in read) setProblem(read.problem)
    else void run('save', () => save(item, valueJson))
  }
  return (
    <Box
      component="form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (value !== null && !busy) submit()
      }}
      onKeyDown={({ key }) => {
        if (key === 'Escape') onDone()
      }}
      sx={{ display: 'grid', gap: 1.5, mt: 1 }}
    >
      <ConfigValueInput
        id={id}
        item={item}
        value={value}
        problem={problem}
        onChange={(next) => {
          setValue(next)
          setProblem(undefined)
        }}
      />
      {isContested && (
        <Alert severity="warning">
          {text('configItems.changedMeanwhile', { value: valueInWords(item, text) })}
        </Alert>
      )}
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1 }}>
        <Button
          type="submit"
          variant="contained"
          size="small"
          disabled={value === null}
          loading={busy === 'save'}
        >
          {text('configItems.save')}
        </Button>
        <Button
          variant="outlined"
          size="small"
          disabled={!hasOwn(item)}
          loading={busy === 'revert'}
          onClick={() => void run('revert', () => revert(item))}
        >
          {text('configItems.revert')}
        </Button>
        <Button color="inherit" size="small" onClick={onDone}>
          {text('configItems.cancel')}
        </Button>
      </Box>
    </Box>
  )
}

/** The last change of an item, and the organisations that differ from its global value. */
function Trail({ item, title }: { item: ConfigItem; title: string }) {
  const text = useText()
  const [isOpen, setOpen] = useState(false)
  const { lastChange, differingCount } = item
  const differing = differingCount ?? 0
  if (!lastChange && differing === 0) return null
  return (
    <Box
      sx={{
        display: 'flex',
        flexWrap: 'wrap',
        alignItems: 'center',
        columnGap: 2,
        mt: 0.5,
        fontSize: '0.8125rem',
        color: 'text.secondary',
      }}
    >
      {lastChange && (
        <Box component="span" sx={{ overflowWrap: 'anywhere' }}>
          {text('configItems.changedBy', { name: lastChange.by })} <Time at={lastChange.timestamp} />
        </Box>
      )}
      {differing > 0 && (
        <Link component="button" type="button" aria-haspopup="dialog" onClick={() => setOpen(true)}>
          {text('configItems.differing', { smart_count: differing })}
        </Link>
      )}
      <Suspense>
        {isOpen && (
          <DifferingDialog databaseKey={item.databaseKey} title={title} onClose={() => setOpen(false)} />
        )}
      </Suspense>
    </Box>
  )
}

/** One configuration item: value and origin, or its editor (administration §4). */
export function ConfigItemRow(props: Props) {
  const { item, canChange, onEditing, showsModifyAccess } = props
  const text = useText()
  const [isEditing, setEditing] = useState(false)
  const edit = (next: boolean) => {
    setEditing(next)
    onEditing(next)
  }
  const isKnown = declarationOf(item)?.type === item.type
  const origin = originOf(item)
  const title = configTitle(item.databaseKey)
  return (
    <Box component="li" sx={{ px: 2, py: 1.5, '& + &': { borderTop: 1, borderColor: 'divider' } }}>
      <Box sx={{ display: 'flex', flexWrap: { xs: 'wrap', sm: 'nowrap' }, alignItems: 'flex-start', gap: 1 }}>
        <Box
          sx={{
            flex: { xs: '1 1 0', sm: '0 1 auto' },
            minWidth: 0,
            overflowWrap: 'anywhere',
            mr: 0.5,
          }}
        >
          <Typography component="h3" sx={{ fontWeight: 600 }}>
            {title}
          </Typography>
          {title !== item.databaseKey && (
            <Box component="code" sx={{ fontSize: '0.75rem', color: 'text.secondary' }}>
              {item.databaseKey}
            </Box>
          )}
        </Box>
        <Box
          sx={{
            order: { xs: 1, sm: 0 },
            flex: { xs: '1 0 100%', sm: '1 1 0' },
            minWidth: 0,
            display: 'flex',
            flexWrap: 'wrap',
            alignItems: 'center',
            gap: 1,
          }}
        >
          <Chip
            size="small"
            label={text(`configItems.origins.${origin}`)}
            color={origin === 'default' ? 'default' : 'primary'}
            variant="outlined"
          />
          <StatusChip
            label={text(`configItems.visibilities.${item.visibility}`)}
            icon={VISIBILITY[item.visibility]}
          />
          {showsModifyAccess && (
            <StatusChip
              label={text(`configItems.modifyAccesses.${item.modifyAccess}`)}
              icon={MODIFY_ACCESS[item.modifyAccess]}
            />
          )}
        </Box>
        <Box sx={{ flex: 'none' }}>
          {!canChange(item) ? (
            <Tooltip title={text('configItems.readOnly')}>
              <LockRounded
                titleAccess={text('configItems.readOnly')}
                sx={{ color: 'text.secondary', display: 'block' }}
              />
            </Tooltip>
          ) : (
            isKnown &&
            !isEditing && (
              <Button
                size="small"
                startIcon={<EditRounded />}
                aria-label={text('configItems.edit', { key: item.databaseKey })}
                onClick={() => edit(true)}
              >
                {text('configItems.editShort')}
              </Button>
            )
          )}
        </Box>
      </Box>
      <Typography sx={{ color: 'text.secondary', mt: 0.25, maxWidth: 720 }}>{item.description}</Typography>
      {isEditing ? (
        <Editor {...props} onDone={() => edit(false)} />
      ) : (
        <Typography dir="auto" sx={{ mt: 0.75, overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
          {isKnown ? valueInWords(item, text) : text('configItems.unsupported')}
        </Typography>
      )}
      <Trail item={item} title={title} />
    </Box>
  )
}
