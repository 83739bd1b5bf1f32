import { type ThreadSource, openSessionMedia } from '@tapefold/store';
import { type TranscriptOpsCatchupResponse, type TranscriptResponse, type TurnPageQuery, agentIdSchema, transcriptOpsCatchupResponseSchema, transcriptOpsQuerySchema, transcriptPlanResponseSchema, transcriptQuerySchema, transcriptResponseSchema, transcriptUserMessagesResponseSchema } from '@tapefold/transcript';
import { transcriptAnswer } from '@tapefold/transcript/fold';
import { z } from 'zod';
import { COLD_SEQ } from '../live/cold-source.js';
import type { LiveAgentState, LiveSource } from '../live/live-source.js';
import { type SessionSources, findSession } from '../sessions.js';
import { CODES } from './codes.js';
import { mediaAnswer } from './media.js';
import { RestError, sessionNotFound } from './rest-error.js';
import { type Route, route } from './routes.js';
import { type SessionRow, sessionRows } from './session-row.js';
import { listSessions, sessionSchema, sessionsQuerySchema, sessionsSchema, toSession } from './sessions-v1.js';
import { listSessionsV2, sessionsV2QuerySchema, sessionsV2Schema } from './sessions-v2.js';
import { listWorkspaces, workspacesSchema } from './workspaces.js';

const sessionParams = z.object({ session_id: z.string().min(1) });

async function sessionById(source: ThreadSource, id: string): Promise<SessionRow> {
  const row = await findSession(source, id);
  if (!row) throw sessionNotFound(id);
  return row;
}

function listRoutes(source: ThreadSource): Route[] {
  return [
    route({ path: '/api/v1/sessions', summary: 'Sessions of all agent programs, newest first.', query: sessionsQuerySchema, data: sessionsSchema, answer: async ({ query }) => listSessions(await sessionRows(source), query) }),
    route({ path: '/api/v2/sessions', summary: 'Sessions of all agent programs, as one list or by folder.', query: sessionsV2QuerySchema, data: sessionsV2Schema, answer: async ({ query }) => listSessionsV2(await sessionRows(source), query) }),
    route({ path: '/api/v1/sessions/{session_id}', summary: 'One session.', params: sessionParams, data: sessionSchema, answer: async ({ params }) => toSession(await sessionById(source, params.session_id)) }),
    route({ path: '/api/v1/workspaces', summary: 'Folders that sessions ran in.', data: workspacesSchema, answer: async () => listWorkspaces(await sessionRows(source)) }),
  ];
}

const agentQuery = z.object({ agent_id: agentIdSchema.optional() });
const planQuery = z.object({ agent_id: agentIdSchema, tool_call_id: z.string().min(1).optional() });

/** Turns by their number: the wire has them as ids. */
function livePage({ snapshot, seq, epoch, agents }: LiveAgentState, { agentId, page }: { readonly agentId: string; readonly page: TurnPageQuery }): TranscriptResponse {
  return { ...transcriptAnswer({ agentId, snapshot, hasModes: snapshot.meta.modes !== undefined }, { page, agents }), seq, epoch };
}

function transcriptRoutes({ source, transcripts }: SessionSources, live: LiveSource): Route[] {
  const under = '/api/v1/sessions/{session_id}/transcript';
  const idOf = async ({ session_id }: { readonly session_id: string }): Promise<string> => (await sessionById(source, session_id)).id;
  return [
    route({
      path: under, summary: 'A page of an agent\'s turns; everything else of its transcript whole.', params: sessionParams, query: transcriptQuerySchema, data: transcriptResponseSchema,
      answer: async ({ params, query: { agent_id: agentId, before_turn, after_turn, page_size } }) => {
        const page = { beforeTurn: before_turn, afterTurn: after_turn, pageSize: page_size };
        // A session that only its recorder tells of has no file.
        const state = await live.stateOf(params.session_id, agentId);
        return state ? livePage(state, { agentId, page }) : { ...await transcripts.transcript(await idOf(params), { agentId, ...page }), seq: COLD_SEQ };
      },
    }),
    route({
      path: `${under}/ops`, summary: 'The batches of operations behind a cursor. Of a session that does not run none are held: load everything.', params: sessionParams, query: transcriptOpsQuerySchema, data: transcriptOpsCatchupResponseSchema,
      answer: async ({ params, query }) => {
        const state = await live.stateOf(params.session_id, query.agent_id);
        if (!state) {
          await idOf(params);
          return { agent_id: query.agent_id, batches: [], latest_seq: COLD_SEQ, complete: false };
        }
        const { batches, latest, complete } = state.since(query.since_seq, query.epoch);
        return { agent_id: query.agent_id, batches: batches as TranscriptOpsCatchupResponse['batches'], latest_seq: latest, complete, epoch: state.epoch };
      },
    }),
    route({
      path: `${under}/user-messages`, summary: 'What the person said, by turn.', params: sessionParams, query: agentQuery, data: transcriptUserMessagesResponseSchema,
      answer: async ({ params, query }) => transcripts.userMessages(await idOf(params), query.agent_id),
    }),
    route({
      path: `${under}/plan`, summary: 'The plans that were put before the person.', params: sessionParams, query: planQuery, data: transcriptPlanResponseSchema,
      answer: async ({ params, query: { agent_id, tool_call_id } }) => {
        const answer = await transcripts.plans(await idOf(params), { agentId: agent_id, toolCallId: tool_call_id });
        if (tool_call_id !== undefined && answer.plans.length === 0) throw new RestError(CODES.toolCallNotFound, `no ExitPlanMode tool call found for tool_call_id: ${tool_call_id}`);
        return answer;
      },
    }),
  ];
}

const mediaParams = z.object({ session_id: z.string().min(1), file_id: z.string().min(1) });

function mediaRoute(source: ThreadSource): Route {
  return route({
    path: '/api/v1/sessions/{session_id}/media/{file_id}', summary: 'A file that an attachment refers to.', params: mediaParams,
    answer: async ({ params, range }) => {
      const { path } = await sessionById(source, params.session_id);
      const media = await openSessionMedia(path, params.file_id);
      if (!media) throw new RestError(CODES.fileNotFound, 'file not found', { status: 404 });
      return mediaAnswer(media, range);
    },
  });
}

/** The routes of sessions and of their transcripts. */
export function sessionRoutes(sources: SessionSources, live: LiveSource): Route[] {
  return [...listRoutes(sources.source), ...transcriptRoutes(sources, live), mediaRoute(sources.source)];
}
