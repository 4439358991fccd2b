import type { FollowUpList } from '#contract/follow-ups/schema.ts'

const lists: { readonly [L in FollowUpList]: string } = {
  MINE: 'Mine',
  OPEN: 'Open',
  OVERDUE: 'Overdue',
  NOBODY: 'Nobody has it',
  DONE: 'Done',
}
const empty: { readonly [L in FollowUpList]: string } = {
  MINE: 'Nothing is open. Follow-ups that you own appear here until they are done.',
  OPEN: 'Nothing is open. Follow-ups are added beside the analysis of a resolved incident.',
  OVERDUE: 'Nothing is overdue.',
  NOBODY: 'Every open follow-up has somebody who does it.',
  DONE: 'No follow-up is done yet.',
}
const count = (number: number) => number.toLocaleString('en')

/** Words of follow-ups. They load with their parts. */
export const followUps = {
  title: 'Follow-ups',
  mine: 'My follow-ups',
  lists,
  counted: (list: FollowUpList, number: number) =>
    list === 'DONE' || number === 0 ? lists[list] : `${lists[list]} (${count(number)})`,
  list: 'Which follow-ups',
  empty,
  emptyHere: 'What the analysis found becomes a follow-up here: with somebody who does it, and until when.',
  found: (number: number) => (number === 1 ? '1 follow-up' : `${count(number)} follow-ups`),
  more: 'Show more',
  showOpen: 'Show all open ones',
  all: 'Go to all follow-ups',
  moreMine: (number: number) => (number === 1 ? 'and 1 more' : `and ${count(number)} more`),
  unowned: (number: number) =>
    number === 1
      ? '1 follow-up has nobody who does it'
      : `${count(number)} follow-ups have nobody who does them`,
  exercise: 'EXERCISE',
  nobody: 'Nobody',
  ownedBy: 'Owner:',
  due: 'Due',
  overdue: 'Overdue',
  doneState: 'Done',
  doneBy: (name: string) => `by ${name}`,
  add: 'Add follow-up',
  addTitle: 'Add a follow-up',
  editTitle: 'Edit the follow-up',
  edit: 'Edit',
  editNamed: (title: string) => `Edit: ${title}`,
  done: 'Done',
  doneNamed: (title: string) => `Done: ${title}`,
  reopen: 'Open again',
  reopenNamed: (title: string) => `Open again: ${title}`,
  what: 'What has to be done',
  details: 'Details',
  owner: 'Owner',
  choose: 'Choose a colleague',
  clear: 'Clear',
  until: 'Due',
  adding: 'Adding…',
  save: 'Save',
  saving: 'Saving…',
  added: (name: string) => `${name} is told of the follow-up.`,
  addedToMe: 'The follow-up is yours.',
  saved: 'The follow-up is saved.',
  isDone: (title: string) => `“${title}” is done.`,
  isOpen: (title: string) => `“${title}” is open again.`,
}
