use crate::query::{Direction, Query};

/// What makes a statement that reads pages differ from others.
#[derive(Clone, Copy)]
pub struct Shape {
    direction: Option<Direction>,
    status: bool,
    workspace: bool,
    creator: bool,
}

/// The parameters of every statement; each uses those that it needs.
pub const ORGANIZATION: &str = ":organization";
pub const ROWS: &str = ":rows";
pub const CREATED_AT: &str = ":created_at";
pub const ID: &str = ":id";
pub const STATUS: &str = ":status";
pub const WORKSPACE: &str = ":workspace";
pub const CREATOR: &str = ":creator";

impl Shape {
    pub const COUNT: usize = 3 * 2 * 2 * 2;

    pub fn of(query: &Query) -> Self {
        Shape {
            direction: query.cursor.as_ref().map(|cursor| cursor.direction),
            status: query.status.is_some(),
            workspace: query.workspace.is_some(),
            creator: query.creator.is_some(),
        }
    }

    /// Its place in a list of all shapes.
    pub fn index(self) -> usize {
        let direction = match self.direction {
            None => 0,
            Some(Direction::After) => 1,
            Some(Direction::Before) => 2,
        };
        direction * 8
            + usize::from(self.status) * 4
            + usize::from(self.workspace) * 2
            + usize::from(self.creator)
    }

    /// Keyroster's own statement: ranges of one index, one for each status where that isn't given, which SQLite merges in order.
    pub fn sql(self) -> String {
        let mut conditions = format!("organization = {ORGANIZATION}");
        let mut index = String::new();
        if self.workspace {
            index.push_str("_workspace");
            conditions += &format!(" AND workspace = {}", number_of("workspaces", WORKSPACE));
        }
        if self.creator {
            index.push_str("_creator");
            conditions += &format!(" AND creator = {}", number_of("creators", CREATOR));
        }
        let statuses: Vec<String> = match (self.status, index.is_empty()) {
            (true, _) => vec![format!(" AND status = {STATUS}")],
            (false, true) => vec![String::new()],
            (false, false) => (0..3)
                .map(|status| format!(" AND status = {status}"))
                .collect(),
        };
        if self.status && index.is_empty() {
            index.push_str("_status");
        }
        let indexed = if index.is_empty() {
            index
        } else {
            format!(" INDEXED BY api_keys{index}")
        };
        let (position, order) = match self.direction {
            None => (String::new(), "created_at DESC, id DESC"),
            Some(Direction::After) => (position("<"), "created_at DESC, id DESC"),
            Some(Direction::Before) => (position(">"), "created_at, id"),
        };
        let ranges: Vec<String> = statuses
            .iter()
            .map(|status| format!("SELECT id, record, created_at FROM api_keys{indexed} WHERE {conditions}{status}{position}"))
            .collect();
        format!(
            "SELECT id, record FROM ({} ORDER BY {order} LIMIT {ROWS} + 0)",
            ranges.join(" UNION ALL ")
        )
    }
}

fn number_of(table: &str, parameter: &str) -> String {
    format!("(SELECT number FROM {table} WHERE organization = {ORGANIZATION} AND id = {parameter})")
}

fn position(comparison: &str) -> String {
    format!(" AND (created_at, id) {comparison} ({CREATED_AT}, {ID})")
}
