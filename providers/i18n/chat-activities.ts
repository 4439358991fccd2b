/** Texts for adding messages to incidents, and for links back to them. */
export const chatActivities = {
  add: 'Add to Incident',
  title: 'Add to an incident',
  text: 'The message becomes a part of the incident, where everybody who sees the incident can read it.',
  incident: 'Incident',
  none: 'No incident or exercise is in progress.',
  exercise: 'EXERCISE: %{title}',
  type: 'As',
  types: { UPDATE: 'Update', TASK: 'Task', ENTRY: 'Timeline entry', DECISION: 'Decision' },
  decisionHelp:
    'It is proposed with the message as its context. You decide it until you choose somebody else.',
  entryHelp: 'It stands in the timeline at the time when the message was sent.',
  taskTitle: 'Title of the task',
  decisionTitle: 'What has to be decided?',
  taskTitleHelp: 'Left empty, it is the first line of the message.',
  already: 'This message is in that incident already.',
  submit: 'Add',
  added: 'Added to %{title}.',
  made: {
    UPDATE: 'Update of an incident',
    TASK: 'Task of an incident',
    ENTRY: 'Timeline of an incident',
    DECISION: 'Decision of an incident',
  },
  fromChat: 'From the chat',
}
