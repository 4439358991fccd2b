import AddTaskRounded from '@mui/icons-material/AddTaskRounded'
import CampaignRounded from '@mui/icons-material/CampaignRounded'
import ChecklistRounded from '@mui/icons-material/ChecklistRounded'
import Box from '@mui/material/Box'
import Typography from '@mui/material/Typography'
import { type ReactNode, Suspense, useCallback, useMemo, useState } from 'react'

import type { IncidentCondition } from '#contract/incident-playbooks/schema.ts'
import { incidentsApi } from '#contract/incidents/api.ts'
import { incidentCan, isIncomplete } from '#contract/incidents/rules.ts'
import { type Activity, type Incident, tooManyActivities } from '#contract/incidents/schema.ts'
import { useSession } from '#providers/session.ts'
import { useCan } from '#providers/useCan.ts'
import { lazy } from '#src/kit/browser/lazy.ts'
import { EmptyState } from '#src/kit/feedback/EmptyState.tsx'
import { PlainText } from '#src/kit/rich-text/PlainText.tsx'
import { RichTextView } from '#src/kit/rich-text/RichTextView.tsx'
import { useText } from '#src/kit/useText.ts'
import { usePeople } from '#providers/people.ts'

import { FEED_ID } from './ActivityActions.tsx'
import { KnownFiles } from './ActivityFiles.tsx'
import {
  ActivityFilters,
  arranged,
  type Arrangement,
  type FeedSection,
  firstDone,
  sectionsIn,
} from './ActivityFilters.tsx'
import { ActivityForm } from './ActivityForm.tsx'
import { CappedButton } from './CappedButton.tsx'
import { latestOf } from './LatestUpdate.tsx'
import { LongList } from './LongList.tsx'
import { type FormName, OpenFormProvider, triggerOf, useOpenForm } from '../form/OpenForm.tsx'
import { Card } from '#src/kit/layout/Card.tsx'
import { ConditionBar } from '../playbooks/ConditionBar.tsx'
import { useConditions, useIncidentPlaybooks } from '../playbooks/queries.ts'
import { useActivityCap, useAddActivity, usePendingChanges } from '../queries.ts'
import { type FeedItem, isGroup, type TaskGroup, withGroups } from './taskGroups.ts'
import { TaskGroupRow } from './TaskGroupRow.tsx'
import { TaskProgress } from './TaskProgress.tsx'
import { TaskRow } from './TaskRow.tsx'
import { isAssignable, TaskSelectionBar, useAssign, useTaskSelection } from './TaskSelection.tsx'
import { UpdateItem } from './UpdateItem.tsx'

const SkippedTasks = lazy(async () => ({
  default: (await import('../playbooks/SkippedTasks.tsx')).SkippedTasks,
}))

const ROW_HEIGHT = 53
/** Rows of a section's text before it folds. */
const SECTION_ROWS = 4
/** Height in pixels of its formatted text before it folds. */
const SECTION_HEIGHT = 96
/** Tasks and updates differ in background, because tasks are to be done and updates to be read. */
const row = {
  py: 0.5,
  borderTop: 1,
  borderColor: 'divider',
  '&[data-activity="UPDATE"]': { bgcolor: 'background.default', mx: -1, px: 1, borderRadius: '6px' },
} as const
const keyOf = (item: FeedItem) => (isGroup(item) ? `group ${item.id}` : item.id)

/** Id of the activity that contains the open form; null for none. */
function holderOf(activities: readonly Activity[], open: FormName | null): string | null {
  const [kind, id] = open?.split(' ') ?? []
  if (kind !== 'edit' && kind !== 'below') return null
  const holds = (activity: Activity) =>
    activity.id === id || activity.childActivities.some((child) => child.id === id)
  return activities.find(holds)?.id ?? null
}

interface HeadingProps {
  section: FeedSection
  incident: Incident
  conditions: ReadonlyMap<string, IncidentCondition>
}
function SectionHeading({
  section: { title, description, html, conditionId },
  incident,
  conditions,
}: HeadingProps) {
  const condition = conditions.get(conditionId ?? '')
  return (
    <Box sx={{ pt: 1.5, pb: 0.5, color: 'text.secondary', overflowWrap: 'anywhere' }}>
      <Typography variant="subtitle2" component="h3" dir="auto">
        {title}
      </Typography>
      {condition && (
        <ConditionBar incidentId={incident.id} condition={condition} isActive={incidentCan.edit(incident)} />
      )}
      {html !== null && <RichTextView html={html} foldAt={SECTION_HEIGHT} />}
      {description !== null && html === null && <PlainText text={description} rows={SECTION_ROWS} />}
    </Box>
  )
}

interface ComposerProps {
  incidentId: string
  full: string | undefined
  /** True if the bottom of a phone's screen is free for the buttons. */
  isDocked: boolean
}

/** Docks the buttons on phones above the bar with the sections. */
const dock = {
  position: { xs: 'fixed', sm: 'static' },
  insetInline: 0,
  bottom: 'calc(56px + env(safe-area-inset-bottom))',
  zIndex: { xs: 'appBar', sm: 'auto' },
  px: { xs: 2, sm: 0 },
  py: { xs: 1, sm: 0 },
  bgcolor: 'background.paper',
  borderTop: { xs: '1px solid var(--m-palette-divider)', sm: 0 },
  '& > *': { flex: { xs: 1, sm: 'none' } },
} as const

/** The two add buttons and their form. */
function Composer({ incidentId, full, isDocked }: ComposerProps) {
  const text = useText()
  const { open, request, close, setDirty } = useOpenForm()
  const add = useAddActivity(incidentId)
  const type = open === 'new TASK' ? 'TASK' : open === 'new UPDATE' ? 'UPDATE' : null
  return (
    <Box sx={{ display: 'grid', gap: 2 }}>
      <Box
        sx={[
          { display: 'flex', flexWrap: 'wrap', gap: 1, '& button': { minHeight: { xs: 44, sm: 36 } } },
          isDocked && open === null && dock,
        ]}
      >
        <CappedButton
          id={triggerOf('new TASK')}
          full={full}
          variant={isDocked ? 'contained' : 'outlined'}
          startIcon={<AddTaskRounded />}
          aria-expanded={type === 'TASK'}
          onClick={() => request('new TASK')}
        >
          {text('incidents.addTask')}
        </CappedButton>
        <CappedButton
          id={triggerOf('new UPDATE')}
          full={full}
          variant="outlined"
          startIcon={<CampaignRounded />}
          aria-expanded={type === 'UPDATE'}
          onClick={() => request('new UPDATE')}
        >
          {text('incidents.addUpdate')}
        </CappedButton>
      </Box>
      {type && (
        <Box sx={{ p: 2, border: 1, borderColor: 'primary.main', borderRadius: 1 }}>
          <ActivityForm
            key={type}
            kind={type}
            name={`new ${type}`}
            incidentId={incidentId}
            submitLabel={text(type === 'TASK' ? 'incidents.addTask' : 'incidents.addUpdate')}
            onSave={(fields) => add.mutateAsync({ type, ...fields })}
            onClose={close}
            onDirty={setDirty}
          />
        </Box>
      )}
    </Box>
  )
}

/** The parts of the feed that the visitor sees, in their order. */
function useArranged(incident: Incident) {
  const text = useText()
  const { open } = useOpenForm()
  const [arrangement, setArrangement] = useState<Arrangement>({ filter: 'ALL', order: 'newest' })
  const { ids: unfolded, toggle: fold } = useIds()
  const pending = usePendingChanges()
  const activities = useMemo(
    () =>
      incident.activities.map((activity) => {
        const shown = pending.get(activity.id)
        return shown ? { ...activity, ...shown } : activity
      }),
    [incident.activities, pending],
  )
  const pinned = holderOf(activities, open)
  // The latest update stands above the feed, so a feed that starts with the newest does not repeat it.
  const isFirst = arrangement.filter === 'ALL' && arrangement.order === 'newest'
  const above = isFirst ? latestOf(incident)?.update.id : undefined
  const shown = useMemo(
    () =>
      arranged(activities, arrangement, pinned).filter(
        ({ id, isSkipped }) => id !== above && (!isSkipped || id === pinned),
      ),
    [activities, arrangement, pinned, above],
  )
  const items = useMemo(() => {
    const hasUpdates = activities.some(({ type }) => type === 'UPDATE')
    return withGroups(shown, arrangement, { hasUpdates, unfolded, pinned })
  }, [activities, shown, arrangement, unfolded, pinned])
  const headings = useMemo(() => {
    const done = firstDone(shown, arrangement)
    const sections = [...sectionsIn(shown, arrangement)]
    const doneTasks = { title: text('incidents.doneTasks'), description: null, html: null, conditionId: null }
    return new Map(done === undefined ? sections : [...sections, [done, doneTasks]])
  }, [shown, arrangement, text])
  const isEmpty = shown.length === 0 && above === undefined
  return { arrangement, setArrangement, activities, pinned, items, headings, isEmpty, unfolded, fold }
}

/** A set of ids, and a function that adds or removes one. */
function useIds() {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set())
  const toggle = useCallback(
    (id: string) =>
      setIds((known) => new Set(known.has(id) ? [...known].filter((one) => one !== id) : [...known, id])),
    [],
  )
  return { ids, toggle }
}

interface ItemsProps {
  incident: Incident
  feed: ReturnType<typeof useArranged>
  selection: ReturnType<typeof useTaskSelection>
  onAssign: ReturnType<typeof useAssign>['assign']
  canAdd: boolean
  full: string | undefined
}

/** The rows of the feed. */
function Items({ incident, feed, selection: { selected, select }, onAssign, canAdd, full }: ItemsProps) {
  const text = useText()
  const { nameOf } = usePeople()
  const me = useSession().user?.email
  const { ids: opened, toggle } = useIds()
  const { data: playbooks } = useIncidentPlaybooks(incident.id)
  const conditions = useConditions(incident.id)
  const take = useCallback((id: string) => void onAssign([id], me ?? null), [onAssign, me])
  const isSelected = (task: Activity) =>
    selected === null || !isAssignable(task) ? undefined : selected.has(task.id)
  const isNotNeeded = incident.openTasks === 'NOT_NEEDED'
  const group = (item: TaskGroup) => (
    <TaskGroupRow
      group={item}
      playbook={
        playbooks?.find(({ addedTimestamp }) => addedTimestamp === item.tasks[0]!.createTimestamp)?.name
      }
      isOpen={feed.unfolded.has(item.id)}
      onToggle={feed.fold}
      isSelected={selected === null ? undefined : item.tasks.every(({ id }) => selected.has(id))}
      onSelect={select}
    />
  )
  return (
    <LongList
      label={text('incidents.activity')}
      items={feed.items}
      keyOf={keyOf}
      estimate={ROW_HEIGHT}
      gap={0}
      pinned={feed.pinned}
    >
      {(item) => (
        <Box data-activity={isGroup(item) ? 'GROUP' : item.type} sx={row}>
          {!isGroup(item) && feed.headings.has(item.id) && (
            <SectionHeading
              section={feed.headings.get(item.id)!}
              incident={incident}
              conditions={conditions}
            />
          )}
          {isGroup(item) ? (
            group(item)
          ) : item.type === 'TASK' ? (
            <TaskRow
              task={item}
              open={opened.has(item.id) || item.id === feed.pinned}
              onToggle={toggle}
              canAdd={canAdd}
              full={full}
              isSelected={isSelected(item)}
              onSelect={select}
              onTake={selected === null && item.assignedTo === null && isAssignable(item) ? take : undefined}
              isNotNeeded={isNotNeeded && isIncomplete(item)}
            />
          ) : (
            <UpdateItem incidentId={incident.id} update={item} author={nameOf(item.createdBy)} />
          )}
        </Box>
      )}
    </LongList>
  )
}

/** The tasks and updates of an incident (operations §2 "Activity feed"). */
export function ActivityFeed({ incident }: { incident: Incident }) {
  const text = useText()
  const cap = useActivityCap()
  const can = useCan()
  const canAdd = can(incidentsApi.addActivity.access) && incidentCan.addActivity(incident)
  const feed = useArranged(incident)
  const { activities } = feed
  const selection = useTaskSelection()
  const { assign } = useAssign(incident.id)
  const hasSkipped = activities.some(({ isSkipped }) => isSkipped)
  const tasks = activities.filter(({ type, isSkipped }) => type === 'TASK' && !isSkipped)
  const count = activities.reduce((sum, { childActivities }) => sum + 1 + childActivities.length, 0)
  const none = incidentCan.addActivity(incident) ? 'incidents.activityEmpty' : 'incidents.activityEmptyClosed'
  const full = count >= cap ? tooManyActivities(cap) : undefined
  return (
    <Card
      heading="h3"
      title={text('incidents.activity')}
      side={
        tasks.length > 0 && (
          <Box sx={{ fontSize: '0.8125rem', color: 'text.secondary' }}>
            <TaskProgress complete={tasks.length - tasks.filter(isIncomplete).length} total={tasks.length} />
          </Box>
        )
      }
    >
      <Box sx={{ display: 'grid', gap: 2 }}>
        {canAdd && (
          <Composer incidentId={incident.id} full={full} isDocked={!incident.shouldCurrentUserCheckIn} />
        )}
        {activities.length > 0 && (
          <ActivityFilters activities={activities} value={feed.arrangement} onChange={feed.setArrangement} />
        )}
        {canAdd && <TaskSelectionBar activities={activities} selection={selection} onAssign={assign} />}
        <Box id={FEED_ID} tabIndex={-1} sx={{ outline: 'none', containerType: 'inline-size' }}>
          {feed.isEmpty ? (
            <EmptyState
              icon={<ChecklistRounded />}
              text={text(activities.length === 0 ? none : 'incidents.activityNone')}
            />
          ) : (
            <Items
              incident={incident}
              feed={feed}
              selection={selection}
              onAssign={assign}
              canAdd={canAdd}
              full={full}
            />
          )}
        </Box>
        {hasSkipped && feed.arrangement.filter !== 'UPDATES' && (
          <Suspense>
            <SkippedTasks incident={incident} />
          </Suspense>
        )}
      </Box>
    </Card>
  )
}

/** Context for tasks and updates: their files, and the one open form. */
export function Activities({ incident, children }: { incident: Incident; children: ReactNode }) {
  return (
    <KnownFiles files={incident.attachments}>
      <OpenFormProvider>
        <Box sx={{ display: 'grid', gap: { xs: 2, sm: 3 }, minWidth: 0 }}>{children}</Box>
      </OpenFormProvider>
    </KnownFiles>
  )
}
