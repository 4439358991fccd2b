/** Texts of the readiness board and of communication tests. */
export const readiness = {
  lead: '%{proved} of %{people} people answered or received a message in the last %{days} days.',
  toMend: '%{smart_count} thing to mend |||| %{smart_count} things to mend',
  ready: 'Ready: nothing to mend.',
  tile: 'Readiness',
  attention: 'To mend:',
  inOrder: 'In order:',
  lines: {
    BOUNCED: {
      count:
        'An address or number of %{smart_count} of %{total} people did not take a message. |||| Addresses or numbers of %{smart_count} of %{total} people did not take a message.',
      none: 'No address or number refused a message.',
    },
    NO_NUMBER: {
      count:
        '%{smart_count} of %{total} people has no phone number. |||| %{smart_count} of %{total} people have no phone number.',
      none: 'Everybody has a phone number.',
    },
    NUMBER_UNPROVED: {
      count:
        '%{smart_count} of %{total} phone numbers was never proved. |||| %{smart_count} of %{total} phone numbers were never proved.',
      none: 'Each phone number is proved by a delivery or an answer.',
    },
    NEVER_SIGNED_IN: {
      count:
        '%{smart_count} of %{total} people has never signed in. |||| %{smart_count} of %{total} people have never signed in.',
      none: 'Everybody has signed in.',
    },
    NO_SECOND_FACTOR: {
      count:
        '%{smart_count} of %{total} people has no authenticator app yet. |||| %{smart_count} of %{total} people have no authenticator app yet.',
      none: 'Everybody who signs in has an authenticator app.',
    },
    PLAYBOOKS: {
      count:
        '%{smart_count} of %{total} playbooks is past its review. |||| %{smart_count} of %{total} playbooks are past their review.',
      none: 'No playbook is past its review.',
    },
  },
  since: {
    TEST: {
      never: 'Communication was never tested.',
      today: 'Communication was tested today.',
      days: 'Communication was last tested %{smart_count} day ago. |||| Communication was last tested %{smart_count} days ago.',
    },
    EXERCISE: {
      never: 'No exercise was ever run.',
      today: 'An exercise was run today.',
      days: 'The last exercise was %{smart_count} day ago. |||| The last exercise was %{smart_count} days ago.',
    },
  },
  factorOff: 'Sign-ins need no second factor. Your provider can switch it on.',
  mends: {
    NEVER_SIGNED_IN: 'Send activation',
    TEST: 'Start a test',
    EXERCISE: 'Declare an exercise',
    PLAYBOOKS: 'Review them',
  },
  showPeople: 'Show people',
  people: {
    BOUNCED: 'Did not take a message',
    NO_NUMBER: 'Without a phone number',
    NUMBER_UNPROVED: 'Number never proved',
    NEVER_SIGNED_IN: 'Never signed in',
    NO_SECOND_FACTOR: 'Without an authenticator app',
  },
  gaps: {
    BOUNCED: 'Refused a message',
    NO_NUMBER: 'No phone number',
    NUMBER_UNPROVED: 'Number never proved',
    NEVER_SIGNED_IN: 'Never signed in',
    NO_SECOND_FACTOR: 'No authenticator app',
  },
  nothingLacks: 'Nothing lacks',
  reaches: { PROVED: 'Proved', ADDRESSED: 'Email and number', LACKING: 'Something lacks' },
  reachesHelp:
    'Proved: a message was delivered or answered in the last %{days} days. Email and number: both are known, and neither refused a message.',
  searchPeople: 'Search people',
  noPeople: 'Nobody is found here.',
  showMore: 'Show more',
  edit: 'Edit %{name}',
  groups: 'Groups',
  searchGroups: 'Search groups',
  noGroups: 'There is no group here. Groups are what notifications go to: add one on the Groups page.',
  group: 'Group',
  members: 'People',
  membersOf: '%{group}: %{reach}',
  activate: {
    title: 'Send the activation email?',
    text: '%{smart_count} person without a password gets a link to set one. |||| %{smart_count} people without a password get a link to set one.',
    submit: 'Send activation email',
    done: 'Sent to %{smart_count} person. |||| Sent to %{smart_count} people.',
    refused:
      '%{smart_count} person had too many of these emails today. |||| %{smart_count} people had too many of these emails today.',
  },
  tests: 'Communication tests',
  testsEmpty:
    'A communication test asks people to confirm one message. It shows who is reached before it matters.',
  start: 'Start a test',
  startTitle: 'Start a communication test',
  startSubmit: 'Send test',
  startText:
    'People get this now, marked as a test, and confirm it in one tap. It uses up notifications as any other.',
  approvalNeeded:
    'More people than one person may notify: a second person approves the test before it is sent.',
  whom: 'Whom',
  everybody: 'Everybody (%{count})',
  everybodyShort: 'Everybody',
  chosenGroups: 'Selected groups',
  chooseGroups: 'Groups',
  findGroups: 'Type to find groups',
  channels: 'Channels',
  words: 'Message',
  started: 'The test was sent to %{smart_count} person. |||| The test was sent to %{smart_count} people.',
  waits: 'The test waits for the approval of a second person.',
  plan: 'Plan',
  planTitle: 'Test every month',
  planText:
    'Once a month, Monday to Friday between 9 and 17, at a moment that nobody is told. It is sent in your name.',
  planOn: 'Test every month',
  planSubmit: 'Save plan',
  planSaved: 'The plan was saved.',
  planOff: 'No test is planned.',
  planNext: 'The next test is in %{month}, to %{whom}.',
  planGone:
    '%{smart_count} group of the plan was deleted. Save the plan again. |||| %{smart_count} groups of the plan were deleted. Save the plan again.',
  notSubscribed: 'Communication tests need Mass Notifications, which your organization is not subscribed to.',
  sentAt: 'Sent',
  answered: 'Answered',
  answeredOf: '%{answered} of %{asked}',
  median: 'Median time',
  missed: 'Not reached',
  notifyMissed: 'Notify %{smart_count} person |||| Notify %{smart_count} people',
  noneMissed: 'None',
  planned: 'Planned',
  byGroup: 'By group',
  byGroupTitle: 'Answers by group, test of %{date}',
  byGroupEmpty: 'Nobody of this test is in a group.',
  states: {
    SENT: 'Sent',
    WAITING: 'Waits for approval',
    NOT_APPROVED: 'Not approved',
    FAILED: 'Not sent',
  },
  openApproval: 'Open the approval',
  seconds: '%{count} s',
  minutes: '%{count} min',
  hours: '%{count} h',
  daysShort: '%{count} d',
}
