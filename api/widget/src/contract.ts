/** What the service answers with, as far as the widget reads it. Offsets count Unicode code points. */

export interface Citation {
  n: number;
  source_id: string;
  start_index: number;
  end_index: number;
  quote: string;
  field: string;
  quote_start: number;
  quote_end: number;
  support?: string;
}

export interface Source {
  n: number;
  id: string;
  title: string;
  kind?: string;
  authors?: string[];
  authors_total?: number | null;
  date?: string | null;
  venue?: string;
  url?: string;
}

export type Related = Omit<Source, "n">;

export interface Filters {
  from?: string | null;
  to?: string | null;
  authors?: string[];
  venues?: string[];
}

export interface Answer {
  id?: string;
  question: string;
  topic?: string | null;
  understood: { text: string; topic?: string | null; filters?: Filters };
  answered: boolean;
  kind?: string;
  answer: string;
  citations: Citation[];
  sources: Source[];
  counted?: { total: number; definition: string } | null;
  reason?: { code: string; message: string } | null;
  related: Related[];
  followups: string[];
  notices: string[];
}

export interface StoredField {
  field: string;
  heading: string;
  text: string;
}

/** A source with its stored text, exactly as quotes refer to it. */
export interface StoredSource extends Related {
  retracted?: boolean;
  fields: StoredField[];
}

export interface TopicInfo {
  name: string;
  examples?: string[];
}

/** An earlier question with its answer, for "and its limits?". */
export interface EarlierTurn {
  question: string;
  answer: string;
  /** Ids of what the answer cited, by number. */
  sources: string[];
}
