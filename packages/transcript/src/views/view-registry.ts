import type { TranscriptTask } from '../model/entities.js';
import type { ToolCallFrame } from '../model/frame.js';
import type { TurnOrigin } from '../model/turn.js';

/** What a view of a tool call is given. */
export interface ToolViewContext {
  readonly frame: ToolCallFrame;
  readonly task?: TranscriptTask | undefined;
}
/** What a view of an opening input is given. */
export interface InputViewContext {
  readonly origin: TurnOrigin;
  readonly prompt?: string | undefined;
}
/** What a view of a marker is given. */
export interface MarkerViewContext {
  readonly marker: string;
  readonly payload?: unknown;
}

/** Which component of a host shows what. It knows no component itself: `Component` is whatever the host renders with. */
export class ViewRegistry<Component> {
  private readonly fallbackTool: Component | undefined;
  private readonly tools = new Map<string, Component>();
  private readonly inputs = new Map<string, Component>();
  private readonly markers = new Map<string, Component>();

  constructor(options: { readonly fallbackTool?: Component | undefined } = {}) {
    this.fallbackTool = options.fallbackTool;
  }

  /** For tool frames of a view or, without one, of a name; in whatever case. The newest registration counts. */
  registerTool(key: string, component: Component): this {
    this.tools.set(key.toLowerCase(), component);
    return this;
  }

  registerInput(originKind: TurnOrigin['kind'], component: Component): this {
    this.inputs.set(originKind, component);
    return this;
  }

  registerMarker(marker: string, component: Component): this {
    this.markers.set(marker, component);
    return this;
  }

  resolveTool(frame: Pick<ToolCallFrame, 'name' | 'view'>): Component | undefined {
    return this.tools.get((frame.view ?? frame.name).toLowerCase()) ?? this.fallbackTool;
  }

  resolveInput(origin: Pick<TurnOrigin, 'kind'>): Component | undefined {
    return this.inputs.get(origin.kind);
  }

  resolveMarker(marker: string): Component | undefined {
    return this.markers.get(marker);
  }
}
