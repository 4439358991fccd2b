import AddCircleOutlineRounded from '@mui/icons-material/AddCircleOutlineRounded'
import EditRounded from '@mui/icons-material/EditRounded'
import RemoveCircleOutlineRounded from '@mui/icons-material/RemoveCircleOutlineRounded'
import SwapVertRounded from '@mui/icons-material/SwapVertRounded'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import { useLocaleState } from 'react-admin'
import { type ReactNode, useMemo, useState } from 'react'

import { SEVERITIES } from '#contract/incidents/schema.ts'
import { differencesBetween, type FieldDifference, type ItemDifference } from '#contract/playbooks/rules.ts'
import type { PlaybookContent } from '#contract/playbooks/schema.ts'
import { Facts } from '#src/kit/layout/Facts.tsx'
import { StatusChip } from '#src/kit/layout/StatusChip.tsx'
import { FormattedText } from '#src/kit/rich-text/FormattedText.tsx'
import { useText } from '#src/kit/useText.ts'

import { TextDifference } from './TextDifference.tsx'
import { useCategories } from './useCategories.ts'

/** Differences shown at first, and added by "more". */
const AT_ONCE = 100
const ROWS = 4

const STYLES = {
  ADDED: { icon: AddCircleOutlineRounded, tone: 'success' },
  REMOVED: { icon: RemoveCircleOutlineRounded, tone: 'error' },
  CHANGED: { icon: EditRounded, tone: 'warning' },
  MOVED: { icon: SwapVertRounded, tone: 'neutral' },
} as const
type Kind = keyof typeof STYLES

/** Names of files by id. */
type FileNames = Readonly<Record<string, string>>

const ID = /^[0-9a-f]{8}-[0-9a-f-]{27}$/
/** A text of a proposal or a start. Groups and templates are known by their ids only. */
const startWord = (word: string, text: ReturnType<typeof useText>): string => {
  if (word === 'ROOM') return text('playbooks.startRoom')
  if (word === 'INCIDENT' || word === 'EXERCISE') return text(`playbooks.kinds.${word}`)
  const severity = SEVERITIES.find((one) => one === word)
  if (severity) return text(`incidents.severities.${severity}`)
  return ID.test(word) ? text('playbookDialogs.startRecord') : word
}

/** Formats the value of a field. */
function useFieldText(fileNames: FileNames, needsCategories: boolean) {
  const text = useText()
  const [locale] = useLocaleState()
  const { data: categories } = useCategories({ enabled: needsCategories })
  const filesText = (ids: readonly string[]) => {
    const names = ids.map((id) => fileNames[id])
    if (names.every((name) => name !== undefined)) return names.join(', ')
    return text('playbookDialogs.filesCount', { smart_count: ids.length })
  }
  return ({ field }: FieldDifference, value: FieldDifference['before']): string => {
    if (field === 'categoryId') {
      if (value === null) return text('playbookDialogs.uncategorized')
      return categories?.find(({ id }) => id === value)?.name ?? text('playbookDialogs.unknownCategory')
    }
    if (typeof value === 'object' && value !== null)
      return field === 'attachedFileIds'
        ? filesText(value)
        : value.map((one) => startWord(one, text)).join(', ')
    if (field === 'priority') return text(`playbookDialogs.priorities.${String(value) as 'LOW'}`)
    if (field === 'type') return text(`playbookDialogs.types.${String(value) as 'TASK'}`)
    if (field === 'level') return String(value)
    if (typeof value === 'number')
      return new Intl.NumberFormat(locale, { style: 'unit', unit: 'minute', unitDisplay: 'long' }).format(
        value,
      )
    return value ?? ''
  }
}
type FieldText = ReturnType<typeof useFieldText>

interface ChangedFieldsProps {
  fields: readonly FieldDifference[]
  write: FieldText
  /** True for a heading or a task, false for the playbook. */
  isItem?: boolean
}

/** The changed fields with old and new value. */
function ChangedFields({ fields, write, isItem = false }: ChangedFieldsProps) {
  const text = useText()
  return (
    <Facts
      facts={fields.map((one) => [
        text(
          !isItem && one.field === 'description'
            ? 'playbookDialogs.brief'
            : `playbookDialogs.fields.${one.field}`,
        ),
        one.field === 'formattedDescription' ? (
          text('playbookDialogs.formattingChanged')
        ) : (
          <TextDifference key={one.field} before={write(one, one.before)} after={write(one, one.after)} />
        ),
      ])}
    />
  )
}

interface RowProps {
  kind: Kind
  title: string
  note?: string | undefined
  children?: ReactNode
}

function Row({ kind, title, note, children }: RowProps) {
  const text = useText()
  const { icon, tone } = STYLES[kind]
  return (
    <Box
      component="li"
      sx={{ display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: 1, py: 1.5, minWidth: 0 }}
    >
      <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', columnGap: 1.5, rowGap: 0.5 }}>
        <StatusChip icon={icon} tone={tone} label={text(`playbookDialogs.kinds.${kind}`)} />
        <Box component="bdi" sx={{ fontWeight: 600, overflowWrap: 'anywhere', minWidth: 0 }}>
          {title}
        </Box>
        {note !== undefined && <Box sx={{ color: 'text.secondary', fontSize: '0.8125rem' }}>{note}</Box>}
      </Box>
      {children}
    </Box>
  )
}

function ItemRow({ difference, write }: { difference: ItemDifference; write: FieldText }) {
  const text = useText()
  const { kind, item, fields, moved } = difference
  const notes = [
    text(`playbookDialogs.types.${item.type}`),
    ...(moved ? [text('playbookDialogs.movedTo', { from: moved.from, to: moved.to })] : []),
  ]
  const isWhole = kind === 'ADDED' || kind === 'REMOVED'
  return (
    <Row kind={kind} title={item.title} note={notes.join(' · ')}>
      {isWhole && item.description !== '' && (
        <FormattedText text={item.description} html={item.formattedDescription} rows={ROWS} />
      )}
      {fields.length > 0 && <ChangedFields fields={fields} write={write} isItem />}
    </Row>
  )
}

interface Props {
  before: PlaybookContent
  after: PlaybookContent
  /** Names of files by id; nameless ones are counted. */
  fileNames?: FileNames
}
const NO_NAMES: FileNames = {}

/** Differences between two versions of a playbook: its own fields, then its headings and tasks in the new order. */
export function PlaybookDifference({ before, after, fileNames = NO_NAMES }: Props) {
  const text = useText()
  const { fields, items } = useMemo(() => differencesBetween(before, after), [before, after])
  const [shown, setShown] = useState(AT_ONCE)
  const write = useFieldText(
    fileNames,
    fields.some(({ field }) => field === 'categoryId'),
  )
  if (fields.length + items.length === 0)
    return <Box sx={{ color: 'text.secondary' }}>{text('playbookDialogs.noDifferences')}</Box>
  const counts = (['ADDED', 'REMOVED', 'CHANGED', 'MOVED'] as const).flatMap((kind) => {
    const count = items.filter((one) => one.kind === kind).length
    return count > 0 ? [text(`playbookDialogs.counts.${kind}`, { count })] : []
  })
  const hidden = items.length - shown
  return (
    <Box sx={{ display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: 1 }}>
      {counts.length > 0 && (
        <Box sx={{ color: 'text.secondary' }}>
          {text('playbookDialogs.itemsChanged')} {counts.join(', ')}
        </Box>
      )}
      <Box
        component="ul"
        aria-label={text('playbookDialogs.differences')}
        sx={{ m: 0, p: 0, listStyle: 'none', '& > li + li': { borderTop: 1, borderColor: 'divider' } }}
      >
        {fields.length > 0 && (
          <Row kind="CHANGED" title={text('playbookDialogs.thePlaybook')}>
            <ChangedFields fields={fields} write={write} />
          </Row>
        )}
        {items.slice(0, shown).map((difference) => (
          <ItemRow key={difference.item.id} difference={difference} write={write} />
        ))}
      </Box>
      {hidden > 0 && (
        <Button sx={{ justifySelf: 'start' }} onClick={() => setShown(shown + AT_ONCE)}>
          {text('playbookDialogs.showMore', { count: Math.min(hidden, AT_ONCE), hidden })}
        </Button>
      )}
    </Box>
  )
}
