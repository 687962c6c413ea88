"""A route leads to its line where another file, or an argument beside the router, declares its first parts."""

from __future__ import annotations

from pathlib import Path

import pytest

from index import Index, open_index
from tests.clock import within
from tests.index.conftest import WriteTree, write_files

TREE = """\
=== fast/main.py
from fast import api

app = FastAPI()
app.include_router(
    api.router,
    prefix="/v7",
)
=== fast/api/__init__.py
from . import goods, staff

staff_prefix = "/people"
router = APIRouter(prefix="/inner")

router.include_router(goods.router, prefix="/wares")
router.include_router(staff.router, prefix=staff_prefix)
=== fast/api/goods.py
router = APIRouter(
    prefix="/cheap",
    tags=["goods"],
)


@router.get("/recent")
def recent_goods():
    return 1
=== fast/api/staff.py
router = APIRouter()


@router.get("/recent")
def recent_staff():
    return 1
=== flask_app/__init__.py
def create_app():
    from flask_app.members import bp as members_bp
    from flask_app.guests import bp as guests_bp

    app.register_blueprint(members_bp, url_prefix='/club')
    app.register_blueprint(guests_bp, url_prefix='/visit')
=== flask_app/members/routes.py
@bp.route('/door')
def members_door():
    return 1
=== flask_app/guests/routes.py
@bp.route('/door')
def guests_door():
    return 1
=== express/app.js
const routes = require('./routes/v3');
const shopRouter = require('./shop-routes');
const { houseRouter } = require('./others');

app.use('/v3', routes);
app.use('/store', shopRouter);
app.use('/home', houseRouter);
=== express/shop-routes.js
router.get(
  '/:id/stock',
  show
);
=== express/others.js
const flatRouter = Router();
flatRouter.get('/:id/stock', flat);

const houseRouter = Router();
houseRouter.get('/:id/stock', house);
=== express/routes/v3/index.js
const teamRoute = require('./team.route');

const all = [
  {
    path: '/groups',
    route: teamRoute,
  },
];
=== express/routes/v3/team.route.js
router
  .route('/')
  .post(create)
  .get(list);

router
  .route('/:teamId')
  .get(one);
=== site/urls.py
urlpatterns = [
    path('journal/', include('site.diary.urls')),
    path(
        'agenda/', include(('site.plan.urls', 'plan')),
    ),
]
=== site/diary/urls.py
urlpatterns = [
    path('overview/', diary.overview),
]
=== site/plan/urls.py
patterns_day = [
    path('summary/', day.summary),
]

patterns_week = [
    path('summary/', week.summary),
]

urlpatterns = [
    path('overview/', plan.overview),
    path('day/', include((patterns_day, 'day'))),
    path('week/', include((patterns_week, 'week'))),
]
=== gin/main.go
func main() {
    v5 := r.Group("/v5")
    posts.PostsRegister(v5.Group("/posts"))
    posts.TagsRegister(v5.Group("/labels"))
    crew := crew.NewResource()
    r.Mount("/navy", crew.Router())
}
=== gin/posts/routers.go
func PostsRegister(router *gin.RouterGroup) {
    router.GET("/", PostList)
}

func TagsRegister(router *gin.RouterGroup) {
    router.GET("/", LabelList)
}
=== gin/crew/api.go
func (rs *Resource) Router() *chi.Mux {
    r := chi.NewRouter()
    r.Mount("/ships", rs.ships())
    return r
}
=== gin/crew/ships.go
func (rs *Resource) ships() *chi.Mux {
    r := chi.NewRouter()
    r.Get("/", rs.list)
    return r
}
=== axum/src/main.rs
fn app() -> Router {
    Router::new()
        .nest("/fliers", birds::router())
        .nest(
            "/swimmers",
            fish::router(),
        )
        .service(web::scope("/woods").configure(trees::config))
}
=== axum/src/birds.rs
pub fn router() -> Router {
    Router::new().route("/count", get(count_birds))
}
=== axum/src/fish.rs
pub fn router() -> Router {
    Router::new().route("/count", get(count_fish))
}
=== axum/src/trees.rs
pub fn config(cfg: &mut ServiceConfig) {
    cfg.route("/count", web::get().to(count_trees));
}
=== hono/index.ts
import songs from './songs'
import films from './films'

app.route('/music', songs)
app.route('/movies', films)
=== hono/songs.ts
const app = new Hono()

app.get('/best', (c) => c.json(1))
=== hono/films.ts
const app = new Hono()

app.get('/best', (c) => c.json(1))
=== phoenix/router.ex
defmodule Web.Router do
  forward "/work", Web.JobRouter
  forward "/letters", Web.MailRouter
end
=== phoenix/job_router.ex
defmodule Web.JobRouter do
  get "/queue", JobController, :queue
end
=== phoenix/mail_router.ex
defmodule Web.MailRouter do
  get "/queue", MailController, :queue
end
=== rails/config/routes.rb
Rails.application.routes.draw do
  mount Forum::Engine => '/board'
  mount Chat::Engine => '/talk'
end
=== rails/forum/config/routes.rb
Forum::Engine.routes.draw do
  get '/topics', to: 'topics#index'
end
=== rails/chat/config/routes.rb
Chat::Engine.routes.draw do
  get '/topics', to: 'talks#index'
end
=== spring/Login.java
class Login {
    RouterFunction<ServerResponse> login() {
        return nest(
                path("/login"),
                route()
                        .GET("/form", this::loginForm)
                        .build());
    }

    RouterFunction<ServerResponse> logout() {
        return nest(
                path("/logout"),
                route()
                        .GET("/form", this::logoutForm)
                        .build());
    }
}
"""
FILES = dict(part.split("\n", 1) for part in TREE.split("=== ")[1:])


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Index:
    root = write_files(tmp_path_factory.mktemp("mounts"), FILES)
    return open_index(root, home=tmp_path_factory.mktemp("home"), model="embedded")


@pytest.mark.parametrize(
    ("route", "file", "line"),
    [
        ("GET /v7/inner/wares/cheap/recent", "fast/api/goods.py", 7),
        ("GET /v7/inner/people/recent", "fast/api/staff.py", 4),
        ("GET /club/door", "flask_app/members/routes.py", 1),
        ("why does GET /visit/door return 404", "flask_app/guests/routes.py", 1),
        ("GET /store/7/stock", "express/shop-routes.js", 2),
        ("GET /home/7/stock", "express/others.js", 5),
        ("POST /v3/groups", "express/routes/v3/team.route.js", 2),
        ("GET /v3/groups/5", "express/routes/v3/team.route.js", 7),
        ("GET /journal/overview/", "site/diary/urls.py", 2),
        ("GET /agenda/overview/", "site/plan/urls.py", 10),
        ("GET /agenda/day/summary/", "site/plan/urls.py", 2),
        ("GET /agenda/week/summary/", "site/plan/urls.py", 6),
        ("GET /v5/posts", "gin/posts/routers.go", 2),
        ("GET /v5/labels", "gin/posts/routers.go", 6),
        ("GET /navy/ships", "gin/crew/ships.go", 3),
        ("GET /fliers/count", "axum/src/birds.rs", 2),
        ("GET /swimmers/count", "axum/src/fish.rs", 2),
        ("GET /woods/count", "axum/src/trees.rs", 2),
        ("GET /music/best", "hono/songs.ts", 3),
        ("GET /movies/best", "hono/films.ts", 3),
        ("GET /work/queue", "phoenix/job_router.ex", 2),
        ("GET /letters/queue", "phoenix/mail_router.ex", 2),
        ("GET /board/topics", "rails/forum/config/routes.rb", 2),
        ("GET /talk/topics", "rails/chat/config/routes.rb", 2),
        ("GET /login/form", "spring/Login.java", 6),
        ("GET /logout/form", "spring/Login.java", 14),
    ],
)
def test_a_route_leads_to_what_is_mounted_under_its_first_parts(index: Index, route: str, file: str, line: int) -> None:
    hit = index.search(route)[0]
    assert (index.chunk(hit.chunk).file, hit.lines) == (file, ((line, line),))


def test_a_template_named_like_a_route_does_not_answer_it(write_tree: WriteTree, tmp_path: Path) -> None:
    urls = """\
patterns_gym = [
    path('list', views.gyms),
]
patterns_note = [
    path('list', views.notes),
]
urlpatterns = [
    path('gym/', include(patterns_gym)),
    path('note/', include(patterns_note)),
]
"""
    files = {"gym/urls.py": urls, "gym/templates/gym/list.html": "<p>\n</p>\n"}
    index = open_index(write_tree(files), home=tmp_path / "home", model="embedded")
    hit = index.search("GET /gym/list")[0]
    assert (index.chunk(hit.chunk).file, hit.lines) == ("gym/urls.py", ((2, 2),))


def test_many_mounted_files_of_one_name_take_no_time(write_tree: WriteTree, tmp_path: Path) -> None:
    files = {"main.js": "".join(f"app.use('/api', require('./shop{at}/routes'))\n" for at in range(900))}
    for at in range(900):
        files[f"shop{at}/routes.js"] = (
            "const router = express.Router()\n"
            f"router.use('/api', require('../shop{(at + 1) % 900}/routes'))\n"
            f"router.get('/carts/:id', show{at})\n"
        )
    index = open_index(write_tree(files), home=tmp_path / "home", model="embedded")
    with within(6):
        index.search("/api/carts/12")
