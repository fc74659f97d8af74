/** What quoting needs to know of teams, their producers and the carriers they may ask. Whoever keeps accounts implements it. */
export interface TeamDirectory {
  /** Whether a producer of this team has this e-mail address. Compared without regard to case. */
  hasProducer(teamId: string, email: string): Promise<boolean>;
  /** Abbreviations of the states that this producer of the team is licensed in; null is all. Left out, nobody is asked. */
  licensedStates?(teamId: string, email: string): Promise<readonly string[] | null>;
  /** The carriers this team may ask. A carrier may come several times, with different restrictions. */
  appointments(teamId: string): Promise<readonly Appointment[]>;
}

export interface Appointment {
  readonly carrierKey: string;
  /** Lower-case abbreviations; all states where left out. */
  readonly states?: readonly string[] | undefined;
  /** Form types, as `ho3`; all where left out. */
  readonly formTypes?: readonly string[] | undefined;
}
