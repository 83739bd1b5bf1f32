/** Turns whose metadata a first fill asks for: what a person sees first, and one round trip. */
export const INITIAL_TURNS = 5;

/** Items or turns of one page: the most that `thread/items/list` and `thread/turns/list` give (they clamp to it). */
export const PAGE_LIMIT = 100;

/** A first fill asks for no more pages and items than this, however little of them can be seen. */
export const INITIAL_ITEM_PAGES = 4;
/** Four full pages. */
export const INITIAL_ITEMS = 400;

/** Turn pages asked for between two item pages: thousands of turns without items must not stand between a reader and the text. */
export const TURN_PAGES_BETWEEN = 4;

/** A preview is six lines; the newest six items hold them for most threads, so the first page is that small. */
export const PREVIEW_LINES = 6;
/** Items of the first page of a preview; later ones are `PAGE_LIMIT`. */
export const PREVIEW_FIRST_PAGE = 6;
/** Items that a preview looks at, at most: as many as a first fill. */
export const PREVIEW_ITEMS = 400;
